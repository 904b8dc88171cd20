// Datasets and other resources: created, listed, updated, deleted, and kept over a restart.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkStrict, type EndpointKey, endpointRow } from '../../api/src/index.ts';
import { type Answer, Deployment, PERSONAL_TOKEN } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

/** Asserts that the endpoint's row allows a response. Returns the body. */
function granted(key: EndpointKey, answer: Answer) {
  const row = endpointRow(key);
  assert.ok(row.status.includes(answer.status), `${key}: ${answer.status} ${answer.text}`);
  if (row.response !== undefined) assert.deepEqual(checkStrict(row.response, answer.body), []);
  return answer.body;
}

describe('datasets', () => {
  it('are created, listed by name, updated and deleted', async () => {
    const made = granted(
      'createDataset',
      await local.call('POST', '/v2/datasets', { name: 'b', description: 'x', custom: 1 }),
    );
    assert.deepEqual([made.id, made.name, made.custom], ['b', 'b', 1]);
    await local.dataset('a');
    const listed = granted('listDatasets', await local.call('GET', '/v2/datasets'));
    assert.deepEqual(
      listed.map((each: { name: string }) => each.name),
      ['a', 'b'],
    );
    const changed = granted(
      'updateDataset',
      await local.call('PUT', '/v2/datasets/b', { description: 'y', retentionDays: 3 }),
    );
    assert.deepEqual([changed.description, changed.retentionDays, changed.custom], ['y', 3, 1]);
    granted('deleteDataset', await local.call('DELETE', '/v2/datasets/b'));
    assert.equal((await local.call('GET', '/v2/datasets/b')).status, 404);
    assert.equal((await local.ingest('b', '{"a":1}')).status, 404);
    assert.equal((await local.query("['b']")).status, 400);
  });

  it('have unique names, and invalid names are rejected', async () => {
    await local.dataset('once');
    assert.equal((await local.call('POST', '/v2/datasets', { name: 'once' })).status, 409);
    for (const name of ['', '-x', 'x/y', 'x y', "x'", 'x'.repeat(129)]) {
      assert.equal((await local.call('POST', '/v2/datasets', { name })).status, 400, name);
    }
  });

  it('are created once if several requests use one name concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => local.call('POST', '/v2/datasets', { name: 'race' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  });

  it('are empty when recreated after a deletion', async () => {
    await local.dataset('again');
    await local.stored('again', [{ a: 1 }]);
    await local.call('DELETE', '/v2/datasets/again');
    await local.dataset('again');
    assert.deepEqual(await local.fields('again'), {});
    assert.deepEqual(await local.rows("['again'] | count"), [{ count: 0 }]);
  });

  it('list their fields with units and descriptions, for one dataset or for all', async () => {
    await local.dataset('fields');
    await local.stored('fields', [{ a: 1, 'b.c': 'x' }]);
    const field = granted(
      'updateField',
      await local.call('PUT', '/v2/datasets/fields/fields/b.c', { unit: 'ms', hidden: true }),
    );
    assert.deepEqual(field, {
      name: 'b.c',
      type: 'string',
      unit: 'ms',
      hidden: true,
      description: '',
    });
    const listed = granted('listFields', await local.call('GET', '/v2/datasets/fields/fields'));
    assert.deepEqual(
      listed.map((each: { name: string }) => each.name),
      ['_sysTime', '_time', 'a', 'b.c'],
    );
    const all = granted('listAllFields', await local.call('GET', '/v1/datasets/_fields'));
    const own = all.find((each: { datasetName: string }) => each.datasetName === 'fields');
    assert.deepEqual(own.fields, listed);
    granted('getField', await local.call('GET', '/v2/datasets/fields/fields/a'));
    assert.equal((await local.call('GET', '/v2/datasets/fields/fields/zz')).status, 404);
  });

  it('lose no concurrent updates or new fields', async () => {
    await local.dataset('busy');
    await local.stored('busy', [{ a: 1 }]);
    const rounds = Array.from({ length: 10 }, (_, i) => i);
    const event = (i: number) => [{ [`f${i}`]: 1 }];
    await Promise.all(
      rounds.flatMap((i) => [
        local.stored('busy', event(i)),
        local.call('PUT', '/v2/datasets/busy', { description: `${i}` }),
        local.call('PUT', '/v2/datasets/busy/fields/a', { description: `${i}`, hidden: false }),
      ]),
    );
    const { body } = await local.call('GET', '/v2/datasets/busy/fields');
    const found = new Map(body.map((field: { name: string }) => [field.name, field]));
    for (const i of rounds) assert.ok(found.has(`f${i}`), `f${i}`);
    assert.match((found.get('a') as { description: string }).description, /^\d$/);
    for (const i of rounds) await local.stored('busy', event(i));
  });

  it('have map fields that can be created, replaced and deleted', async () => {
    await local.dataset('mapped');
    const path = '/v2/datasets/mapped/mapfields';
    granted('createMapField', await local.call('POST', path, { name: 'a' }));
    granted('replaceMapFields', await local.call('PUT', path, ['b', 'c']));
    assert.equal((await local.call('PUT', path, ['b', 'd', 'b'])).status, 409);
    assert.deepEqual(granted('listMapFields', await local.call('GET', path)), ['b', 'c']);
    granted('deleteMapField', await local.call('DELETE', `${path}/b`));
    assert.equal((await local.call('DELETE', `${path}/b`)).status, 404);
    assert.deepEqual((await local.call('GET', path)).body, ['c']);
  });
});

describe('monitors', () => {
  it('keep unknown properties', async () => {
    const body = {
      name: 'm',
      type: 'Threshold',
      aplQuery: 'x',
      intervalMinutes: 5,
      extra: { a: [1] },
    };
    const made = granted('createMonitor', await local.call('POST', '/v2/monitors', body));
    assert.deepEqual(made.extra, { a: [1] });
    const path = `/v2/monitors/${made.id}`;
    const changed = granted(
      'updateMonitor',
      await local.call('PUT', path, { ...body, name: 'n', id: 'other' }),
    );
    assert.deepEqual([changed.id, changed.name, changed.createdAt], [made.id, 'n', made.createdAt]);
    assert.deepEqual(granted('listMonitors', await local.call('GET', '/v2/monitors')), [changed]);
    granted('deleteMonitor', await local.call('DELETE', path));
    assert.deepEqual((await local.call('GET', '/v2/monitors')).body, []);
  });

  it('are rejected outside the limits of the specification', async () => {
    const fit = { name: 'm', type: 'Threshold', aplQuery: 'x' };
    for (const unfit of [
      { tolerance: 101 },
      { compareDays: 8 },
      { intervalMinutes: 0 },
      { secondDelay: 86_401 },
      { type: 'Other' },
      { aplQuery: undefined },
    ]) {
      const { status, body } = await local.call('POST', '/v2/monitors', { ...fit, ...unfit });
      assert.equal(status, 400, JSON.stringify(unfit));
      assert.ok(body.problems.length > 0);
    }
  });
});

describe('dashboards', () => {
  const dashboard = { name: 'd', charts: [], layout: [], unknownMember: true };

  it('are created with a uid, updated from the current version, and overwritten on request', async () => {
    const path = '/v2/dashboards/uid/my-board';
    const first = await local.call('PUT', path, { dashboard });
    assert.equal(first.status, 201);
    assert.equal(granted('updateDashboard', first).status, 'created');
    assert.equal(first.body.dashboard.version, 1);
    const second = await local.call('PUT', path, {
      dashboard: { ...dashboard, name: 'e' },
      version: 1,
    });
    assert.equal(second.status, 200);
    assert.deepEqual([second.body.status, second.body.overwritten], ['updated', false]);
    const stale = await local.call('PUT', path, { dashboard, version: 1 });
    assert.equal(stale.status, 412);
    assert.deepEqual([stale.body.currentVersion, stale.body.uid], [2, 'my-board']);
    const blind = await local.call('PUT', path, { dashboard });
    assert.equal(blind.status, 409);
    const forced = await local.call('PUT', path, { dashboard, overwrite: true });
    assert.deepEqual([forced.status, forced.body.overwritten], [200, true]);
    const got = granted('getDashboard', await local.call('GET', path));
    assert.deepEqual([got.version, got.dashboard.unknownMember], [3, true]);
  });

  it('are listed in pages', async () => {
    for (const uid of ['p1', 'p2', 'p3']) {
      granted('createDashboard', await local.call('POST', '/v2/dashboards', { dashboard, uid }));
    }
    const page = granted(
      'listDashboards',
      await local.call('GET', '/v2/dashboards?limit=2&offset=1'),
    );
    assert.deepEqual(
      page.map((each: { uid: string }) => each.uid),
      ['p1', 'p2'],
    );
    assert.equal((await local.call('GET', '/v2/dashboards?limit=0')).status, 400);
    assert.equal(
      (await local.call('PUT', '/v2/dashboards/uid/p1', { dashboard, uid: 'q' })).status,
      400,
    );
    assert.equal((await local.call('GET', '/v2/dashboards/uid/a%20b')).status, 400);
    granted('deleteDashboard', await local.call('DELETE', '/v2/dashboards/uid/p1'));
  });
});

describe('views', () => {
  it("can't share a name with a dataset", async () => {
    const view = { name: 'shared', aplQuery: 'logs' };
    assert.equal((await local.call('POST', '/v2/views', view)).status, 200);
    const dataset = await local.call('POST', '/v2/datasets', { name: 'shared' });
    assert.deepEqual([dataset.status, dataset.body.reason], [409, 'dataset-is-view'], dataset.text);
    await local.call('DELETE', '/v2/views/shared');
    await local.dataset('shared');
    assert.equal((await local.call('POST', '/v2/views', view)).status, 409);
  });

  it('are identified by name and can be renamed', async () => {
    const view = { name: 'v', aplQuery: "['x']", datasets: ['x'], extra: 1 };
    granted('createView', await local.call('POST', '/v2/views', view));
    assert.equal((await local.call('POST', '/v2/views', view)).status, 409);
    granted('updateView', await local.call('PUT', '/v2/views/v', { ...view, aplQuery: 'y' }));
    const moved = granted(
      'updateView',
      await local.call('PUT', '/v2/views/v', { ...view, name: 'w x' }),
    );
    assert.deepEqual([moved.id, moved.extra], ['w x', 1]);
    assert.equal((await local.call('GET', '/v2/views/v')).status, 404);
    granted('getView', await local.call('GET', '/v2/views/w%20x'));
    assert.equal(
      (granted('listViews', await local.call('GET', '/v2/views')) as unknown[]).length,
      1,
    );
    granted('deleteView', await local.call('DELETE', '/v2/views/w%20x'));
  });
});

describe('annotations', () => {
  it('are created, filtered by dataset and start time, and updated', async () => {
    const make = async (body: object) =>
      granted('createAnnotation', await local.call('POST', '/v2/annotations', body)).id as string;
    const base = { type: 'deploy', datasets: ['a', 'b'] };
    const early = await make({ ...base, time: '2026-01-01T00:00:00Z' });
    const span = await make({
      ...base,
      datasets: ['c'],
      time: '2026-01-01T00:00:00Z',
      endTime: '2026-01-03T00:00:00Z',
    });
    const now = await make(base);
    const ids = async (query: string) => {
      const answer = await local.call('GET', `/v2/annotations${query}`);
      return granted('listAnnotations', answer).map((each: { id: string }) => each.id);
    };
    assert.deepEqual(await ids(''), [early, span, now]);
    assert.deepEqual(await ids('?datasets=c&datasets=zz'), [span]);
    // Only the start time counts: an annotation that spans the start of the range is not listed.
    assert.deepEqual(await ids('?start=2026-01-02T00:00:00Z&end=2026-02-01T00:00:00Z'), []);
    assert.deepEqual(await ids('?start=2025-12-31T00:00:00Z&end=2026-02-01T00:00:00Z'), [
      early,
      span,
    ]);
    assert.deepEqual(await ids('?end=2026-01-01T00:00:00Z'), []);
    assert.equal((await local.call('GET', '/v2/annotations?start=monday')).status, 400);
    const changed = granted(
      'updateAnnotation',
      await local.call('PUT', `/v2/annotations/${early}`, { title: 't', endTime: null }),
    );
    assert.deepEqual([changed.title, changed.time], ['t', '2026-01-01T00:00:00Z']);
    for (const unfit of [{ type: 'A' }, { datasets: [] }, { title: 'x'.repeat(257) }]) {
      assert.equal(
        (await local.call('POST', '/v2/annotations', { ...base, ...unfit })).status,
        400,
      );
    }
  });
});

describe('lists of APL resources', () => {
  it('filter saved queries by dataset, text and owner', async () => {
    const base = { kind: 'apl', query: { apl: "['x'] | count" } };
    const save = async (body: object) =>
      granted('createSavedQuery', await local.call('POST', '/v2/apl-starred-queries', body)).id;
    const one = await save({ ...base, name: 'One', dataset: 'x' });
    await save({ ...base, name: 'Two', who: 'team' });
    const ids = async (query: string) => {
      const answer = await local.call('GET', `/v2/apl-starred-queries${query}`);
      return granted('listSavedQueries', answer).length;
    };
    assert.deepEqual(
      [await ids(''), await ids('?who=all'), await ids('?who=all&qs=two'), await ids('?dataset=y')],
      [1, 2, 1, 0],
    );
    granted(
      'updateSavedQuery',
      await local.call('PUT', `/v2/apl-starred-queries/${one}`, { ...base, name: 'Uno' }),
    );
    granted('deleteSavedQuery', await local.call('DELETE', `/v2/apl-starred-queries/${one}`));
  });

  it('include virtual fields only for a given dataset', async () => {
    const body = { dataset: 'x', name: 'v', expression: 'a + 1' };
    granted('createVirtualField', await local.call('POST', '/v2/vfields', body));
    assert.equal((await local.call('GET', '/v2/vfields')).status, 400);
    const listed = granted('listVirtualFields', await local.call('GET', '/v2/vfields?dataset=x'));
    assert.equal(listed[0].expression, 'a + 1');
    assert.deepEqual((await local.call('GET', '/v2/vfields?dataset=y')).body, []);
  });
});

describe('the local user', () => {
  it('is the only user, in the only organization', async () => {
    const headers = { authorization: `Bearer ${PERSONAL_TOKEN}` };
    const own = await local.call('GET', '/v2/user', undefined, { headers });
    const user = granted('getCurrentUser', own);
    const [org] = granted('listOrganizations', await local.call('GET', '/v2/orgs'));
    granted('getOrganization', await local.call('GET', `/v2/orgs/${org.id}`));
    const [role] = granted('listRoles', await local.call('GET', '/v2/rbac/roles'));
    assert.deepEqual(role.members, [user.id]);
    assert.deepEqual(granted('listGroups', await local.call('GET', '/v2/rbac/groups')), []);
    assert.deepEqual(granted('listTokens', await local.call('GET', '/v2/tokens')), []);
  });
});

describe('a restart', () => {
  it('loses no data', async () => {
    await local.dataset('kept');
    await local.stored('kept', [{ a: 1, b: 'x' }, { a: 'text' }]);
    await local.call('PUT', '/v2/datasets/kept/fields/a', { unit: 'ms' });
    const paths = [
      '/v2/datasets',
      '/v1/datasets/_fields',
      '/v2/monitors',
      '/v2/dashboards',
      '/v2/views',
      '/v2/annotations',
      '/v2/apl-starred-queries?who=all',
      '/v2/vfields?dataset=x',
    ];
    const state = () =>
      Promise.all(paths.map(async (path) => (await local.call('GET', path)).text));
    const before = await state();
    const rows = await local.rows("['kept'] | order by b");
    await local.reopen();
    assert.deepEqual(await state(), before);
    assert.deepEqual(await local.rows("['kept'] | order by b"), rows);
    await local.stored('kept', [{ a: 2, c: true }]);
    assert.deepEqual(await local.rows("['kept'] | count"), [{ count: 3 }]);
  });
});
