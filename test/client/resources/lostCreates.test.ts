// A create whose answer is lost: the resource is found where it was made all the same, and never made twice.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRecord, listRecords } from '../../../client/src/resources/calls.ts';
import { idOf, type KindName } from '../../../resources/src/kinds.ts';
import { type Members, valueAt } from '../../../resources/src/value.ts';
import { Deployment } from '../../local/deployment.ts';
import { json, LoopbackServer } from '../loopback.ts';

const bodies: Readonly<Partial<Record<KindName, Members>>> = {
  monitors: { name: 'errors', type: 'MatchEvent', aplQuery: 'logs', extra: { a: [1, { b: 2 }] } },
  notifiers: { name: 'on call', properties: { slack: { slackUrl: 'https://hooks.example/s' } } },
  dashboards: { dashboard: { name: 'board', charts: [], layout: [] } },
  annotations: { type: 'deploy', title: 'v1', time: '2026-01-31T08:30:00Z', datasets: ['logs'] },
  savedQueries: { name: 'slow', kind: 'apl', dataset: 'logs', query: { apl: 'logs' } },
  virtualFields: { dataset: 'logs', name: 'ratio', expression: 'a / b' },
};

describe('a creation without a response', () => {
  let local: Deployment;
  let server: LoopbackServer;
  /** Whether the answer to the next create is lost, or the create itself. */
  let fate: 'lost' | 'never arrives' | undefined;
  /** Whether nothing else is answered. */
  let isDown = false;

  before(async () => {
    local = await Deployment.open();
    await local.call('POST', '/v2/datasets', Buffer.from('{"name": "logs"}'));
    server = await LoopbackServer.start(async (response, { method, url, body }) => {
      const own = method === 'POST' ? fate : undefined;
      if (own !== undefined) fate = undefined;
      else if (isDown) return void response.destroy();
      if (own === 'never arrives') return void response.destroy();
      const answer = await local.call(method, url, body.length === 0 ? undefined : body);
      if (own === 'lost') return void response.destroy();
      for (const [name, value] of answer.headers) response.setHeader(name, value);
      json(response, answer.status, answer.text);
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await local.close();
  });

  /** A create that is made, whose answer is lost, and after which nothing answers for a while. */
  const lose = async (kind: KindName, body: Members) => {
    [fate, isDown] = ['lost', true];
    const lost = await createRecord(server.service(), kind, body);
    isDown = false;
    assert.ok(!lost.ok && lost.failure.sent === true, JSON.stringify(lost));
  };
  const count = async (kind: KindName) => {
    const listed = await listRecords(server.service(), kind, { dataset: 'logs', all: true });
    assert.ok(listed.ok);
    return listed.value.length;
  };

  for (const [kind, body] of Object.entries(bodies) as [KindName, Members][]) {
    it(`of ${kind} is answered with what was made, at once or when it is repeated`, async () => {
      const start = await count(kind);
      fate = 'lost';
      const atOnce = await createRecord(server.service(), kind, body);
      assert.ok(atOnce.ok, JSON.stringify(atOnce));
      assert.ok(idOf(kind, atOnce.value));
      assert.equal(await count(kind), start + 1);

      // The same once more is another resource, whose create nobody can look for until it is repeated.
      await lose(kind, body);
      const again = await createRecord(server.service(), kind, body);
      assert.ok(again.ok, JSON.stringify(again));
      assert.notEqual(idOf(kind, again.value), idOf(kind, atOnce.value));
      assert.equal(await count(kind), start + 2);
    });
  }

  it('includes edits made before it was repeated', async () => {
    const body = { ...bodies.monitors, name: 'edited' };
    const start = await count('monitors');
    await lose('monitors', body);
    const again = await createRecord(server.service(), 'monitors', {
      ...body,
      aplQuery: 'logs | count',
    });
    assert.ok(again.ok, JSON.stringify(again));
    assert.equal(valueAt(again.value, ['aplQuery']), 'logs | count');
    assert.equal(await count('monitors'), start + 1);
  });

  it('stores the secret that was corrected before it was repeated', async () => {
    const body = (routingKey: string) => ({
      name: 'pager',
      properties: { pagerduty: { routingKey, token: 'corrected-once' } },
    });
    await lose('notifiers', body('mistyped-key'));
    const again = await createRecord(server.service(), 'notifiers', body('corrected-key'));
    assert.ok(again.ok, JSON.stringify(again));
    const stored = await local.call('GET', `/v2/notifiers/${idOf('notifiers', again.value)}`);
    assert.match(stored.text, /corrected-key/);
    assert.doesNotMatch(stored.text, /mistyped-key/);
    assert.doesNotMatch(JSON.stringify(again), /corrected-key/);
  });

  it('is repeated if the request never arrived', async () => {
    const body = { ...bodies.monitors, name: 'new' };
    const start = await count('monitors');
    fate = 'never arrives';
    assert.ok(!(await createRecord(server.service(), 'monitors', body)).ok);
    assert.equal(await count('monitors'), start);
    assert.ok((await createRecord(server.service(), 'monitors', body)).ok);
    assert.equal(await count('monitors'), start + 1);
  });

  it('is not repeated while the outcome of the first is unknown', async () => {
    const body = { ...bodies.monitors, name: 'in doubt' };
    const start = await count('monitors');
    await lose('monitors', body);
    isDown = true;
    assert.ok(!(await createRecord(server.service(), 'monitors', body)).ok);
    isDown = false;
    assert.equal(await count('monitors'), start + 1);
  });

  for (const [when, createdAt] of [
    ['long before', '2020-01-01T00:00:00Z'],
    ['long after', new Date(Date.now() + 3_600_000).toISOString()],
  ]) {
    it(`is not confused with one that another user created ${when}`, async () => {
      const body = { ...bodies.monitors, name: 'theirs' };
      await using other = await LoopbackServer.start((response, { method }) =>
        method === 'GET'
          ? json(response, 200, [{ ...body, id: 'm0', createdAt }])
          : response.destroy(),
      );
      const service = other.service();
      for (let attempt = 0; attempt < 2; attempt += 1) {
        assert.ok(!(await createRecord(service, 'monitors', body)).ok);
      }
      assert.equal(other.received.filter(({ method }) => method === 'POST').length, 2);
    });
  }
});
