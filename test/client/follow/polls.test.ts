// Following a service that answers late, twice, not at all or in part: each event is added once, in the order of
// arrival, to a table of limited size.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import type { DrawnWindow } from '../../../client/src/answers/protocol.ts';
import { PAGE_ROWS } from '../../../client/src/follow/arrivals.ts';
import { Follower } from '../../../client/src/follow/follower.ts';
import { EventsPoll, eventsOrRows, openEnded, rowsPoll } from '../../../client/src/follow/polls.ts';
import { json, LoopbackServer } from '../loopback.ts';
import { about, newStore } from '../store/stores.ts';
import { EventsService, type Misbehaviour } from './eventsService.ts';
import { FakeClock } from './fakeClock.ts';

const store = newStore();
after(() => store.dispose());

const plan = { kind: 'events', source: "['logs']", stages: '' } as const;
const overlap = { usualMs: 3_000, lateMs: 25_000, everyMs: 15_000 };
const INTERVAL = 2_000;

/** A follower of a service, and the events that it has shown. */
class Session {
  readonly clock = new FakeClock();
  readonly shown: number[] = [];
  answer: HeldAnswer | undefined;
  #answer: (() => string) | undefined;
  #count = 0;
  readonly events: EventsPoll;
  readonly follower: Follower;

  constructor(client: EventsService['client'], maxRows = 100_000, first = 1_000) {
    this.events = new EventsPoll(
      {
        store,
        clock: this.clock,
        about: about('logs'),
        times: () => openEnded({ startTime: 'now-1h' }, this.clock.now()),
        service: async () => ({ ok: true, value: client }),
        limits: () => ({ timeoutMs: 5_000, maxBytes: 100_000_000 }),
        newestFirst: () => false,
        asked: () => undefined,
        answered: (answer) => {
          this.#answer = () => answer.id;
        },
      },
      plan,
      { first, maxRows, maxBytes: 500_000_000, overlap },
    );
    this.follower = new Follower({
      clock: this.clock,
      interval: () => INTERVAL,
      changed: () => {},
      poll: this.events.poll,
    });
  }

  /** Advances to the next request, and waits for its response. */
  async step(): Promise<void> {
    this.clock.advance(this.clock.next ?? 0);
    while (this.clock.next === undefined && this.follower.state.kind === 'following')
      await sleep(1);
    await this.#read();
  }

  /** Reads the rows that were appended since the last call. */
  async #read(): Promise<void> {
    const id = this.#answer?.();
    this.answer = id === undefined ? undefined : store.get(id);
    const [table] = this.answer?.head.tables ?? [];
    if (id === undefined || table === undefined) return;
    const removed = table.removedRows ?? 0;
    const from = Math.max(0, this.#count - removed);
    const column = table.fields.findIndex(({ name }) => name === 'n');
    for (let at = from; at < table.rowCount; at += 1_000) {
      const span = { from: at, to: Math.min(at + 1_000, table.rowCount) };
      const window: DrawnWindow = await store.rows('window', {
        answer: id,
        table: 0,
        ...span,
        columns: [column],
        timeZone: 'utc',
      });
      this.shown.push(...window.rows.map(([n]) => Number(n)));
      assert.equal(window.numbers[0], removed + at);
    }
    this.#count = removed + table.rowCount;
  }
}

/** Creates a generator of the same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const ascending = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('followed events', () => {
  it('start with the latest ones, then are each added once in the order of arrival', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client, 100_000, 10);
    service.arrive(25);
    await session.step();
    assert.deepEqual(session.shown, ascending(25).slice(-10));
    assert.equal(session.follower.events, 0);
    // Events of the same instant as the first row count as earlier ones.
    session.clock.advance(1);
    for (let step = 0; step < 40; step++) {
      service.arrive(step % 4);
      // An event that is an hour old, and two in the future with the same time.
      service.arrive(1, 0, session.clock.now() - 3_600_000);
      service.arrive(2, 0, session.clock.now() + 60_000);
      await session.step();
    }
    assert.deepEqual(session.shown, ascending(service.events.length).slice(15));
    assert.equal(session.follower.events, service.events.length - 25);
    const names = session.answer?.head.tables[0]?.fields.map(({ name }) => name);
    assert.deepEqual(names, ['_time', '_sysTime', 'n', 'level']);
    assert.equal(service.mostAtOnce, 1);
  });

  it('start with an empty table if there are none, and are added when they arrive', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client);
    for (let step = 0; step < 3; step++) await session.step();
    service.arrive(3);
    await session.step();
    service.arrive(2);
    await session.step();
    assert.deepEqual(session.shown, [0, 1, 2, 3, 4]);
  });

  for (const cursors of [true, false])
    it(`are each added once from a faulty service, recognized by their ${cursors ? 'cursor' : 'content'}`, async () => {
      const next = random(cursors ? 7 : 8);
      const ways: Misbehaviour[] = ['late', 'limited', 'cut', 'broken', 'unordered'];
      // Without cursors, a repeated row cannot be told from another event with the same content.
      if (cursors) ways.push('repeated');
      await using service = await EventsService.start(() => session.clock.now(), {
        cursors,
        misbehaviour: () => (next() < 0.3 ? ways[Math.floor(next() * ways.length)] : undefined),
      });
      const session = new Session(service.client);
      for (let step = 0; step < 80; step++) {
        // Some become visible later than others that arrived after them.
        for (let batch = 0; batch < 4; batch++)
          service.arrive(Math.floor(next() * 9), next() < 0.2 ? next() * 25_000 : 0);
        await session.step();
        assert.equal(session.follower.state.kind, 'following');
      }
      for (let step = 0; step < 40; step++) await session.step();
      const wanted = service.events.map(({ n }) => (cursors ? n : n >> 1));
      assert.deepEqual(
        [...session.shown].sort((a, b) => a - b),
        wanted,
      );
      assert.equal(service.mostAtOnce, 1);
    });

  it('stay within the row limit by removing the oldest, without renumbering the others', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client, 500, 500);
    let most = 0;
    let bytes = 0;
    for (let step = 0; step < 120; step++) {
      service.arrive(97);
      await session.step();
      const [table] = session.answer?.head.tables ?? [];
      most = Math.max(most, table?.rowCount ?? 0);
      if (step > 20) bytes = Math.max(bytes, session.answer?.bytes ?? 0);
    }
    assert.ok(most <= 500, String(most));
    // The maximum for 500 rows of two times, a number and a word.
    assert.ok(bytes < 500 * 40, String(bytes));
    assert.deepEqual(session.shown, ascending(service.events.length));
    const [table] = session.answer?.head.tables ?? [];
    assert.equal((table?.removedRows ?? 0) + (table?.rowCount ?? 0), service.events.length);
  });

  it('are all added after a pause, even if they exceed two responses', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client);
    service.arrive(5);
    await session.step();
    session.follower.pause();
    assert.equal(session.clock.next, undefined);
    // More events than two responses can contain, arriving at different times.
    const count = PAGE_ROWS * 2 + 500;
    for (let index = 0; index < count / 100; index++) {
      session.clock.advance(1);
      service.arrive(100);
    }
    session.follower.resume();
    await session.step();
    assert.equal(session.clock.next, 0);
    await session.step();
    await session.step();
    assert.deepEqual(session.shown, ascending(service.events.length));
    assert.equal(session.events.skipped, false);
  });

  it('with equal times are all added, even if they exceed one response', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client);
    service.arrive(1);
    await session.step();
    service.arrive(PAGE_ROWS + 5_000);
    for (let step = 0; step < 6; step++) await session.step();
    assert.deepEqual(session.shown, ascending(service.events.length));
  });

  it('of a long pause are partly skipped if they exceed the row limit', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client, 1_000);
    service.arrive(5);
    await session.step();
    session.follower.pause();
    for (let index = 0; index < 700; index++) {
      session.clock.advance(1);
      service.arrive(100);
    }
    session.follower.resume();
    await session.step();
    await session.step();
    assert.equal(session.events.skipped, true);
    const rows = session.answer?.head.tables[0]?.rowCount ?? 0;
    assert.deepEqual(session.shown.slice(-rows), ascending(service.events.length).slice(-rows));
    service.arrive(3);
    await session.step();
    assert.deepEqual(session.shown.slice(-3), ascending(service.events.length).slice(-3));
  });

  it('are loaded into another answer after their rows were evicted', async () => {
    await using service = await EventsService.start(() => session.clock.now());
    const session = new Session(service.client);
    service.arrive(3);
    await session.step();
    const former = session.answer as HeldAnswer;
    await store.drop(former.id);
    await session.step();
    assert.notEqual(session.answer?.id, former.id);
    assert.equal(session.answer?.head.tables[0]?.rowCount, 3);
  });
});

describe('a followed query that runs again', () => {
  it('replaces its answer, and is the fallback if the service rejects polling for events', async () => {
    let runs = 0;
    await using loopback = await LoopbackServer.start((response, { body }) => {
      if (body.includes('_sysTime'))
        return json(response, 400, { code: 400, message: 'no such column' });
      runs += 1;
      const columns = [{ name: 'count_', type: 'integer' }];
      json(response, 200, {
        format: 'tabular',
        status: {},
        datasetNames: [],
        tables: [
          { name: '0', sources: [], fields: columns, order: [], groups: [], columns: [[runs]] },
        ],
      });
    });
    const clock = new FakeClock();
    const answers: string[] = [];
    const client = loopback.service();
    const parts = {
      store,
      clock,
      about: about('logs'),
      times: () => ({ startTime: 'now-1h', endTime: 'now' }),
      service: async () => ({ ok: true, value: client }) as const,
      limits: () => ({ timeoutMs: 5_000, maxBytes: 1_000_000 }),
      newestFirst: () => false,
      asked: () => undefined,
      answered: (answer: HeldAnswer) => void answers.push(answer.id),
    };
    let refusals = 0;
    const events = new EventsPoll(parts, plan, {
      first: 10,
      maxRows: 100,
      maxBytes: 1_000_000,
      overlap,
    });
    const poll = eventsOrRows(events, () => {
      refusals += 1;
      return rowsPoll(parts);
    });
    for (let run = 1; run <= 3; run++) {
      const outcome = await poll(new AbortController().signal);
      assert.ok(outcome.ok, JSON.stringify(outcome));
    }
    assert.equal(refusals, 1);
    assert.equal(runs, 3);
    const [, , third] = answers;
    assert.equal(new Set(answers).size, 3);
    assert.ok(!String(loopback.received.at(-1)?.body).includes('includeCursorField'));
    const cell = await store.rows('cell', { answer: third as string, table: 0, row: 0, column: 0 });
    assert.equal(cell.text, '3');
  });
});
