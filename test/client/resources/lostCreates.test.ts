// Create requests whose response is lost: the client finds a resource that was created, and never creates it twice.
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

describe('a create request without a response', () => {
  let local: Deployment;
  let server: LoopbackServer;
  /** Whether the response to the next create request is lost, or the request itself. */
  let fate: 'lost' | 'never arrives' | undefined;
  /** Whether the server drops all other requests. */
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

  /** Creates a resource whose response is lost, while the server drops all further requests. */
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
    it(`for ${kind} returns the resource that was created, immediately or on a retry`, async () => {
      const start = await count(kind);
      fate = 'lost';
      const atOnce = await createRecord(server.service(), kind, body);
      assert.ok(atOnce.ok, JSON.stringify(atOnce));
      assert.ok(idOf(kind, atOnce.value));
      assert.equal(await count(kind), start + 1);

      // An identical request creates another resource, which the client cannot look for while the server is down.
      await lose(kind, body);
      const again = await createRecord(server.service(), kind, body);
      assert.ok(again.ok, JSON.stringify(again));
      assert.notEqual(idOf(kind, again.value), idOf(kind, atOnce.value));
      assert.equal(await count(kind), start + 2);
    });
  }

  it('saves edits made before the retry to the resource that was already created', async () => {
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

  it('stores a secret that was corrected before the retry', async () => {
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

  it('creates the resource on a retry if the first request never arrived', async () => {
    const body = { ...bodies.monitors, name: 'new' };
    const start = await count('monitors');
    fate = 'never arrives';
    assert.ok(!(await createRecord(server.service(), 'monitors', body)).ok);
    assert.equal(await count('monitors'), start);
    assert.ok((await createRecord(server.service(), 'monitors', body)).ok);
    assert.equal(await count('monitors'), start + 1);
  });

  it('is not sent again while the outcome of the first request is unknown', async () => {
    const body = { ...bodies.monitors, name: 'in doubt' };
    const start = await count('monitors');
    await lose('monitors', body);
    isDown = true;
    assert.ok(!(await createRecord(server.service(), 'monitors', body)).ok);
    isDown = false;
    assert.equal(await count('monitors'), start + 1);
  });

  for (const [when, createdAt] of [
    ['long before the request', '2020-01-01T00:00:00Z'],
    ['long after the request', new Date(Date.now() + 3_600_000).toISOString()],
  ]) {
    it(`does not return an equal resource that another user created ${when}`, async () => {
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
