// The alert states of monitors, read from valid and invalid histories of a loopback server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alertOf, readAlerts } from '../../../client/src/resources/monitorAlerts.ts';
import { json, LoopbackServer } from '../loopback.ts';

const at = (hour: number, state: string) => ({ state, timestamp: `2026-01-02T0${hour}:00:00Z` });
const about = () => ({ now: Date.parse('2026-01-03'), signal: new AbortController().signal });

describe('the alert of a monitor', () => {
  it('has the state of the latest check and the time at which that state began', () => {
    assert.equal(alertOf([]), undefined);
    assert.equal(alertOf([{ state: 'paused', timestamp: 'yesterday' }]), undefined);
    const checks = [at(3, 'open'), at(1, 'open'), at(4, 'open'), at(2, 'closed')];
    assert.deepEqual(alertOf(checks), { isOpen: true, since: '2026-01-02T03:00:00Z' });
    assert.deepEqual(alertOf([...checks, at(5, 'closed')]), {
      isOpen: false,
      since: '2026-01-02T05:00:00Z',
    });
  });

  it('is read from the history of each monitor, with at most four requests at a time', async () => {
    let [underWay, most] = [0, 0];
    await using server = await LoopbackServer.start(async (response, { url }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      json(
        response,
        200,
        url.includes('/m7/') ? [{ checkId: 'c', name: 'm', ...at(1, 'open') }] : [],
      );
    });
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    const { alerts, failures } = await readAlerts(server.service(), ids, about());
    assert.equal(failures.size, 0);
    assert.deepEqual([...alerts], [['m7', { isOpen: true, since: '2026-01-02T01:00:00Z' }]]);
    assert.equal(server.received.length, 20);
    assert.ok(most > 1 && most <= 4, `${most} requests were under way at once.`);
    assert.match(
      server.received[0]?.url ?? '',
      /^\/v2\/monitors\/m0\/history\?startTime=2025-12-04T.*&endTime=2026-01-03T/,
    );
  });

  it('is read from each valid history, even if other histories fail', async () => {
    const bad: Readonly<Record<string, readonly [number, unknown]>> = {
      m0: [404, { code: 404, message: 'gone' }],
      m1: [500, { code: 500, message: 'broken' }],
      m2: [200, '<html>'],
      m5: [200, { not: 'a list' }],
    };
    await using server = await LoopbackServer.start((response, { url }) => {
      const id = /monitors\/(\w+)\/history/.exec(url)?.[1] ?? '';
      const [status, body] = bad[id] ?? [200, [{ checkId: 'c', name: 'm', ...at(1, 'open') }]];
      json(response, status, body);
    });
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
    const { alerts, failures } = await readAlerts(server.service(), ids, about());
    assert.deepEqual([...failures.keys()].sort(), Object.keys(bad));
    assert.equal(alerts.size, ids.length - Object.keys(bad).length);
    assert.match(failures.get('m1')?.message ?? '', /broken/);
  });

  it('is reported as failed for all monitors, without requesting every history, if the first histories fail', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
    for (const [status, body, most] of [
      [404, { code: 404, message: 'not found' }, 11],
      [200, '<html>', 11],
      [403, { code: 403, message: 'forbidden' }, 4],
      [401, { code: 401, message: 'revoked' }, 4],
    ] as const) {
      await using server = await LoopbackServer.start((response) => json(response, status, body));
      const { alerts, failures } = await readAlerts(server.service(), ids, about());
      assert.equal(alerts.size, 0);
      assert.deepEqual([...failures.keys()].sort(), ids.toSorted());
      const asked = new Set(server.received.map(({ url }) => url));
      assert.ok(asked.size <= most, `${status}: ${asked.size} histories`);
    }
  });
});
