// Following a real local deployment during ingest: late events, equal times, large and concurrent requests. Each
// event is shown once, in the order of arrival.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrawnWindow } from '../../../client/src/answers/protocol.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { systemClock } from '../../../client/src/follow/clock.ts';
import { Follower } from '../../../client/src/follow/follower.ts';
import { EventsPoll, openEnded } from '../../../client/src/follow/polls.ts';
import { Service } from '../../../client/src/service/service.ts';
import { parseQuery } from '../../../language/src/index.ts';
import { followPlan } from '../../../server/src/features/followPlan.ts';
import { Processes, type Running } from '../../local/processes.ts';
import { about, newStore } from '../store/stores.ts';

describe('following the local deployment', () => {
  const store = newStore();
  const dispatcher = directDispatcher();
  let processes: Processes;
  let local: Running;
  let service: Service;

  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${local.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.text());
  };

  before(async () => {
    processes = await Processes.create();
    local = await processes.start('data');
    const { url, token } = local;
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
  });
  after(async () => {
    await processes.dispose();
    await dispatcher.destroy();
    await store.dispose();
  });

  function follow(query: string, { maxRows = 50_000, first = 1_000 } = {}) {
    const plan = followPlan(parseQuery(query));
    assert.ok(plan.kind === 'events');
    let id: string | undefined;
    const events = new EventsPoll(
      {
        store,
        clock: systemClock,
        about: { ...about('logs'), query },
        times: () => openEnded({ startTime: 'now-1h' }, Date.now()),
        service: async () => ({ ok: true, value: service }),
        limits: () => ({ timeoutMs: 20_000, maxBytes: 500_000_000 }),
        newestFirst: () => false,
        asked: () => undefined,
        answered: (answer) => {
          id = answer.id;
        },
      },
      plan,
      {
        first: plan.limit ?? first,
        maxRows,
        maxBytes: 500_000_000,
        overlap: { usualMs: 1_000, lateMs: 5_000, everyMs: 3_000 },
      },
    );
    const follower = new Follower({
      clock: systemClock,
      interval: () => 100,
      changed: () => {},
      poll: events.poll,
    });
    const held = () => (id === undefined ? undefined : store.get(id));
    return {
      follower,
      held,
      /** Returns the values of a column, in the order of the rows. */
      async values(name: string): Promise<string[]> {
        const [table] = held()?.head.tables ?? [];
        const column = table?.fields.findIndex((field) => field.name === name) ?? -1;
        const values: string[] = [];
        for (let from = 0; from < (table?.rowCount ?? 0); from += 1_000) {
          const window: DrawnWindow = await store.rows('window', {
            answer: id as string,
            table: 0,
            from,
            to: from + 1_000,
            columns: [column],
            timeZone: 'utc',
          });
          values.push(...window.rows.map(([value]) => value as string));
        }
        return values;
      },
      async until(rows: number): Promise<void> {
        for (let wait = 0; wait < 400; wait++) {
          const [table] = held()?.head.tables ?? [];
          assert.notEqual(follower.state.kind, 'stopped', JSON.stringify(follower.state));
          if ((table?.rowCount ?? 0) + (table?.removedRows ?? 0) >= rows) return;
          await sleep(50);
        }
        assert.fail(`There are ${held()?.head.tables[0]?.rowCount} rows, not ${rows}.`);
      },
    };
  }

  it('shows each event once, in order of arrival, whatever its time', async () => {
    await post('/v2/datasets', { name: 'logs' });
    const now = Date.now();
    let n = 0;
    /** Ingests events whose times decrease, are equal, are 15 minutes old or in the future. */
    const request = (count: number) =>
      post(
        '/v1/ingest/logs',
        Array.from({ length: count }, (_, index) => {
          const offset = [-index, 0, -900_000, 60_000][index % 4] as number;
          return { _time: new Date(now + offset).toISOString(), n: n++, same: 1 };
        }),
      );
    await request(30);
    const session = follow("['logs'] | where same == 1 | sort by _time desc | limit 20");
    await session.until(20);
    assert.deepEqual(
      await session.values('n'),
      Array.from({ length: 20 }, (_, index) => String(10 + index)),
    );
    for (let index = 0; index < 40; index++) {
      await request(1 + ((index * 37) % 250));
      if (index % 9 === 0) await sleep(120);
    }
    await request(10_000);
    await session.until(n - 10);
    // Overlapping requests repeat no event.
    await sleep(3_500);
    session.follower.dispose();
    assert.equal(session.follower.state.kind, 'following');
    const values = await session.values('n');
    assert.deepEqual(
      values,
      Array.from({ length: n - 10 }, (_, index) => String(10 + index)),
    );
    assert.equal(session.follower.events, n - 30);
    const names = session.held()?.head.tables[0]?.fields.map(({ name }) => name);
    assert.deepEqual(names, ['_sysTime', '_time', 'n', 'same']);
    // A chart ends with the last event, although the requests include the future.
    assert.equal(session.held()?.head.tables[0]?.range, undefined);
  });

  it('shows each event of concurrent ingest requests once, keeping the order within a request', async () => {
    await post('/v2/datasets', { name: 'crowd' });
    // A column without events would be an error.
    await post('/v1/ingest/crowd', [{ source: -1, n: -1 }]);
    const session = follow("['crowd'] | extend half = n / 2 | project source, n", {
      maxRows: 2_000_000,
    });
    const [sources, requests, size] = [6, 12, 400];
    await Promise.all(
      Array.from({ length: sources }, async (_, source) => {
        for (let request = 0; request < requests; request++)
          await post(
            '/v1/ingest/crowd',
            Array.from({ length: size }, (_, index) => ({ source, n: request * size + index })),
          );
      }),
    );
    await session.until(sources * requests * size + 1);
    await sleep(3_500);
    session.follower.dispose();
    const [from, numbers] = [await session.values('source'), await session.values('n')];
    assert.equal(numbers.length, sources * requests * size + 1);
    for (let source = 0; source < sources; source++) {
      const own = numbers.filter((_, row) => from[row] === String(source));
      assert.deepEqual(
        own,
        Array.from({ length: requests * size }, (_, index) => String(index)),
      );
    }
  });

  it('misses and repeats no event after a pause or a restart of the deployment', async () => {
    await post('/v2/datasets', { name: 'away' });
    const event = (n: number) => post('/v1/ingest/away', [{ n }]);
    await event(0);
    const session = follow("['away']");
    await session.until(1);
    session.follower.pause();
    await event(1);
    await event(2);
    session.follower.resume();
    await session.until(3);
    const exited = once(local.child, 'exit');
    local.child.kill('SIGKILL');
    await exited;
    while (session.follower.state.kind !== 'following' || !session.follower.state.failure)
      await sleep(20);
    assert.match(session.follower.state.failure.failure.message, /Cannot reach/);
    local = await processes.start('data');
    const { url, token } = local;
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    await event(3);
    session.follower.retry();
    await session.until(4);
    session.follower.dispose();
    assert.deepEqual(await session.values('n'), ['0', '1', '2', '3']);
  });

  it('shows events with a new field, and with a value of another type', async () => {
    await post('/v2/datasets', { name: 'wider' });
    await post('/v1/ingest/wider', [{ a: 1 }]);
    const session = follow("['wider']");
    await session.until(1);
    // A query that is planned while a field gets another type does not see values of that type yet.
    session.follower.pause();
    await post('/v1/ingest/wider', [{ a: 'two', b: true }]);
    await post('/v1/ingest/wider', [{ b: false }]);
    session.follower.resume();
    await session.until(3);
    session.follower.dispose();
    assert.deepEqual(await session.values('a'), ['1', 'two', null]);
    assert.deepEqual(await session.values('b'), [null, 'true', 'false']);
  });

  it('keeps only the latest rows if there are more than the limit', async () => {
    await post('/v2/datasets', { name: 'many' });
    await post('/v1/ingest/many', [{ n: -1 }]);
    const session = follow("['many'] | project n", { maxRows: 300, first: 100 });
    for (let request = 0; request < 60; request++)
      await post(
        '/v1/ingest/many',
        Array.from({ length: 100 }, (_, index) => ({ n: request * 100 + index })),
      );
    await session.until(6_001);
    session.follower.dispose();
    const values = await session.values('n');
    assert.ok(values.length <= 300 && values.length >= 240, String(values.length));
    assert.deepEqual(
      values,
      Array.from({ length: values.length }, (_, index) => String(6_000 - values.length + index)),
    );
  });
});
