// Saves resources of each kind in the local deployment, and to services that fail or report conflicts.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { stringifyJson } from '../../../api/src/plain.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
} from '../../../client/src/resources/calls.ts';
import { saveResource } from '../../../client/src/resources/files/saving.ts';
import { encodeSnippet } from '../../../client/src/resources/files/snippet.ts';
import { aplLocations } from '../../../resources/src/aplLocations.ts';
import { creationBody, documentOf, updateBody } from '../../../resources/src/documents.ts';
import { idOf, type KindName, kindNames, kinds } from '../../../resources/src/kinds.ts';
import { equal, type Members } from '../../../resources/src/value.ts';
import { Deployment } from '../../local/deployment.ts';
import { json, LoopbackServer, serveDeployment } from '../loopback.ts';

const unknown = { odd: { big: 9_223_372_036_854_775_807n, list: [null, 1.5, 'x'] } };

/** Returns a document of a kind with unknown members. */
function documentFor(kind: KindName): Members {
  const apl = kind === 'virtualFields' ? "strcat('a\\t', 'b')" : "['logs']\n| where true";
  const draft = kinds[kind].draft?.({ name: `a ${kind}`, apl, dataset: 'logs', now: 0 });
  if (kind !== 'dashboards') return { ...draft, ...unknown };
  return { ...draft, dashboard: { ...(draft?.dashboard as Members), ...unknown } };
}

describe('resources in the local deployment', () => {
  let local: Deployment;
  let server: LoopbackServer;

  before(async () => {
    local = await Deployment.open();
    await local.dataset('logs');
    server = await serveDeployment(local);
  });

  after(async () => {
    await server[Symbol.asyncDispose]();
    await local.close();
  });

  for (const kind of kindNames.filter((name) => kinds[name].draft)) {
    it(`of the kind "${kinds[kind].plural}" are created, listed, read, changed and deleted, and keep unknown members`, async () => {
      const service = server.service();
      const document = documentFor(kind);
      const made = await createRecord(service, kind, creationBody(kind, document));
      assert.ok(made.ok, stringifyJson(made));
      const id = idOf(kind, made.value) as string;
      const listed = await listRecords(service, kind, { dataset: 'logs' });
      assert.ok(listed.ok);
      assert.ok(listed.value.some((record) => idOf(kind, record) === id));
      const read = await getRecord(service, kind, id);
      assert.ok(read.ok);
      for (const [name, value] of Object.entries(document)) {
        assert.ok(equal(read.value[name], value), `${name} comes back as it went.`);
      }
      const written = documentOf(kind, read.value);
      const inner = kind === 'dashboards' ? (written.dashboard as Members) : written;
      const edited = { ...inner, description: 'changed' };
      const changed = kind === 'dashboards' ? { ...written, dashboard: edited } : edited;
      const saved = await saveResource(service, kind, id, {
        base: read.value,
        written: { form: 'json', document: changed },
      });
      assert.equal(saved.kind, 'saved', stringifyJson(saved));
      const [place] = aplLocations(kind, read.value);
      if (place !== undefined) {
        const apl = kind === 'virtualFields' ? '1 + 1' : "['logs'] | take 1";
        const end = await saveResource(service, kind, id, {
          base: read.value,
          written: { form: 'apl', place: place.key, apl },
        });
        assert.equal(end.kind, 'saved', stringifyJson(end));
      }
      const again = await getRecord(service, kind, id);
      assert.ok(again.ok);
      const kept = kind === 'dashboards' ? (again.value.dashboard as Members) : again.value;
      assert.ok(equal(kept.odd, unknown.odd), 'Unknown members are kept.');
      assert.equal(kept.description, 'changed');
      const gone = await deleteRecord(service, kind, id);
      assert.ok(gone.ok);
      const end = await saveResource(service, kind, id, {
        base: read.value,
        written: { form: 'json', document: { ...written, description: 'late' } },
      });
      assert.equal(end.kind, 'gone');
    });
  }

  it('lose members that were removed from their document, such as the title of an annotation', async () => {
    const service = server.service();
    const made = await createRecord(service, 'annotations', documentFor('annotations'));
    assert.ok(made.ok);
    const id = idOf('annotations', made.value) as string;
    const { title: _, ...document } = documentOf('annotations', made.value);
    const body = updateBody('annotations', made.value, document);
    const changed = await updateRecord(service, 'annotations', id, body);
    assert.ok(changed.ok, stringifyJson(changed));
    assert.equal(changed.value.title || undefined, undefined);
  });

  it('include the map fields of a dataset, which are read and replaced', async () => {
    const service = server.service();
    const base = await getRecord(service, 'mapFields', 'logs');
    assert.ok(base.ok);
    const end = await saveResource(service, 'mapFields', 'logs', {
      base: base.value,
      written: { form: 'json', document: { mapFields: ['labels', 'a.b'] } },
    });
    assert.equal(end.kind, 'saved', stringifyJson(end));
    const read = await getRecord(service, 'mapFields', 'logs');
    assert.ok(read.ok);
    assert.deepEqual([...(read.value.mapFields as string[])].sort(), ['a.b', 'labels']);
  });
});

describe('a save', () => {
  const base = { id: 'm', name: 'n', type: 'Threshold', threshold: 1 };
  const written = {
    form: 'json',
    document: { name: 'n', type: 'Threshold', threshold: 2 },
  } as const;

  it('of an unchanged document sends no request', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 500, {}));
    const same = { form: 'json', document: documentOf('monitors', base) } as const;
    const end = await saveResource(server.service(), 'monitors', 'm', { base, written: same });
    assert.equal(end.kind, 'unchanged');
    assert.equal(server.received.length, 0);
  });

  it('reports a conflict and writes nothing if the resource was changed concurrently or the base record is unknown', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(response, 200, { ...base, threshold: 3 }),
    );
    for (const from of [base, undefined]) {
      const end = await saveResource(server.service(), 'monitors', 'm', { base: from, written });
      assert.equal(end.kind, 'conflict');
    }
    assert.deepEqual([...new Set(server.received.map(({ method }) => method))], ['GET']);
  });

  /** Starts a server that stores one monitor. */
  const holding = (first: Members) => {
    let record = first;
    return LoopbackServer.start((response, { method, body }) => {
      if (method === 'PUT') record = { id: 'm', ...(JSON.parse(String(body)) as Members) };
      return json(response, 200, record);
    });
  };

  it('merges with concurrent changes of other members', async () => {
    await using server = await holding({ ...base, description: 'theirs' });
    const end = await saveResource(server.service(), 'monitors', 'm', { base, written });
    assert.ok(end.kind === 'saved');
    assert.equal(end.isMerged, true);
    assert.deepEqual(end.record, { ...base, description: 'theirs', threshold: 2 });
  });

  it('is repeated after a version conflict and merges with the new version', async () => {
    const board = (version: number, more: object) => ({
      uid: 'b',
      version,
      dashboard: { name: 'n', ...more },
    });
    let puts = 0;
    let record: object = board(1, {});
    await using server = await LoopbackServer.start((response, { method, body }) => {
      if (method !== 'PUT') return json(response, 200, record);
      puts += 1;
      record = puts === 1 ? board(2, { refreshTime: 15 }) : JSON.parse(String(body));
      return puts === 1
        ? json(response, 412, { code: 412, message: 'version' })
        : json(response, 200, { dashboard: record });
    });
    const end = await saveResource(server.service(), 'dashboards', 'b', {
      base: board(1, {}),
      written: { form: 'json', document: { uid: 'b', dashboard: { name: 'mine' } } },
    });
    assert.equal(end.kind, 'saved');
    assert.deepEqual((record as Members).dashboard, { name: 'mine', refreshTime: 15 });
  });

  it('does not conflict with changes saved from another document of the resource in the same window', async () => {
    const own = { ...base, threshold: 5, aplQuery: 'own' };
    await using server = await holding({ ...own, description: 'theirs' });
    const json = await saveResource(server.service(), 'monitors', 'm', { base, own, written });
    assert.ok(json.kind === 'saved');
    assert.deepEqual(json.record, {
      ...base,
      threshold: 2,
      aplQuery: 'own',
      description: 'theirs',
    });
    const apl = { form: 'apl', place: '', apl: 'mine' } as const;
    const before = { ...base, aplQuery: 'old' };
    const stored = { base: before, own: json.record, written: apl };
    const query = await saveResource(server.service(), 'monitors', 'm', stored);
    assert.ok(query.kind === 'saved');
    assert.equal(query.record.aplQuery, 'mine');
    const someone = { ...json.record, aplQuery: 'theirs' };
    await using changed = await holding(someone);
    const late = await saveResource(changed.service(), 'monitors', 'm', stored);
    assert.equal(late.kind, 'conflict');
  });

  it('reports a conflict if another user changes the same member during the save', async () => {
    const board = (version: number, name: string) => ({ uid: 'b', version, dashboard: { name } });
    await using server = await LoopbackServer.start((response, { method }, index) =>
      method === 'PUT'
        ? json(response, 412, { code: 412, message: 'version' })
        : json(response, 200, index === 0 ? board(1, 'old') : board(2, 'theirs')),
    );
    const end = await saveResource(server.service(), 'dashboards', 'b', {
      base: board(1, 'old'),
      written: { form: 'json', document: { uid: 'b', dashboard: { name: 'mine' } } },
    });
    assert.equal(end.kind, 'conflict');
    assert.deepEqual(
      server.received.map(({ method }) => method),
      ['GET', 'PUT', 'GET'],
    );
  });

  it('is not repeated after a service error', async () => {
    await using server = await LoopbackServer.start((response, { method }) =>
      method === 'PUT' ? json(response, 500, { message: 'no' }) : json(response, 200, base),
    );
    const end = await saveResource(server.service(), 'monitors', 'm', { base, written });
    assert.equal(end.kind, 'failed');
    assert.equal(server.received.filter(({ method }) => method === 'PUT').length, 1);
  });
});

describe('a deletion without a response', () => {
  const gone = { code: 404, message: 'There is none.' };

  it('succeeds if the resource no longer exists', async () => {
    for (const broken of ['reset', 'gateway']) {
      await using server = await LoopbackServer.start((response, { method }) => {
        if (method !== 'DELETE') return json(response, 404, gone);
        return broken === 'reset' ? response.destroy() : json(response, 502, {});
      });
      const answer = await deleteRecord(server.service(), 'monitors', 'm');
      assert.ok(answer.ok, stringifyJson(answer));
      assert.equal(server.received.filter(({ method }) => method === 'DELETE').length, 1);
    }
  });

  it('fails if the resource still exists or the outcome is unknown', async () => {
    for (const status of [200, 500]) {
      await using server = await LoopbackServer.start((response, { method }) =>
        method === 'DELETE' ? response.destroy() : json(response, status, { id: 'm', name: 'n' }),
      );
      const answer = await deleteRecord(server.service(), 'monitors', 'm');
      assert.equal(answer.ok, false);
      assert.match(answer.failure.message, /closed before the response/);
    }
    await using server = await LoopbackServer.start((response) => json(response, 404, gone));
    assert.equal((await deleteRecord(server.service(), 'monitors', 'm')).ok, false);
  });
});

describe('a snippet in a JSON string', () => {
  it('is inserted with its quotes, line breaks and backslashes escaped for JSON', () => {
    for (const [snippet, encoded] of [
      ['where $1', 'where $1'],
      ['"$1"', String.raw`\\"$1\\"`],
      ['a\n| b', String.raw`a\\n| b`],
      [String.raw`\$ \\d`, String.raw`\$ \\\\d`],
    ] as const) {
      assert.equal(encodeSnippet(snippet), encoded);
    }
  });
});
