// Follows a dataset by cursor: a client that requests the events after the last `maxCursor`, in
// ascending time order, receives each event once, while others write events with equal, earlier and
// later times.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { afterEmptyPage, afterPage } from '../../../local/src/planner/paging.ts';
import type { Cursor, ReadCursor } from '../../../local/src/planner/plan.ts';
import { ALL_TIMES, Deployment } from '../deployment.ts';
import { type Random, random } from '../random.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const HOUR = Date.parse('2026-01-01T00:00:00Z');

/** A client that follows a dataset. `events` contains the numbers of the received events. */
class Follower {
  readonly events: number[] = [];
  readonly #apl: string;
  #cursor: string | undefined;

  constructor(apl: string) {
    this.#apl = apl;
  }

  /** Sends one request. Returns the number of received events. */
  async poll(): Promise<number> {
    const page = { ...ALL_TIMES, includeCursor: this.#cursor === undefined };
    const members = this.#cursor === undefined ? page : { ...page, cursor: this.#cursor };
    const { status, text, body } = await local.query(this.#apl, members);
    assert.equal(status, 200, text);
    const [numbers] = body.tables[0].columns as [number[]];
    this.events.push(...numbers);
    this.#cursor = body.status.maxCursor ?? this.#cursor;
    return numbers.length;
  }

  /** Sends requests until no more events are received. */
  async drain(): Promise<void> {
    for (let empty = 0; empty < 2; ) empty = (await this.poll()) === 0 ? empty + 1 : 0;
  }
}

function event(n: number, below: Random) {
  // Few times for many events, in random order.
  const _time = new Date(HOUR + below(20) * 1_000).toISOString();
  // Some have a new field, so their request takes the general path.
  return { _time, n, ...(below(200) === 0 && { [`extra${below(5)}`]: n }) };
}

/**
 * Sends requests of one to four events each, numbered from `first`. Returns the number of events.
 */
async function write(name: string, first: number, requests: number, below: Random) {
  let next = first;
  for (let i = 0; i < requests; i += 1) {
    const events = Array.from({ length: 1 + below(4) }, () => event(next++, below));
    await local.stored(name, events);
  }
  return next - first;
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe('a query polled with its last cursor', () => {
  for (const limit of ['', ' | limit 3', ' | limit 40']) {
    it(`returns each event exactly once while four clients write${limit}`, async () => {
      const name = await local.dataset(`followed${limit.replace(/\D+/, '-')}`.replace(/-$/, ''));
      const all = new Follower(`['${name}'] | sort by _time asc | project n${limit}`);
      const odd = new Follower(
        `['${name}'] | where n % 2 == 1 | sort by _time asc | project n${limit}`,
      );
      // Makes the field known to queries from the start.
      await local.stored(name, [{ _time: new Date(HOUR).toISOString(), n: -2 }]);
      let writing = true;
      const below = random(7);
      const writers = [0, 1, 2, 3].map((writer) =>
        write(name, writer * 10_000, 40, random(writer + below(1_000))),
      );
      const follow = async (follower: Follower) => {
        while (writing) await follower.poll();
        await follower.drain();
      };
      const following = [follow(all), follow(odd)];
      const counts = await Promise.all(writers);
      writing = false;
      await Promise.all(following);
      const expected = counts.flatMap((count, writer) =>
        Array.from({ length: count }, (_, i) => writer * 10_000 + i),
      );
      assert.deepEqual(sorted(all.events), [-2, ...expected]);
      assert.deepEqual(
        sorted(odd.events),
        expected.filter((n) => n % 2 === 1),
      );
    });
  }

  it('continues after the newest event of a page read in descending order', async () => {
    const name = await local.dataset('newest-first');
    const at = (second: number) => new Date(HOUR + second * 1_000).toISOString();
    const times = Array.from({ length: 10 }, (_, n) => ({ _time: at(n), n }));
    await local.stored(name, times);
    const apl = `['${name}']`;
    const { body } = await local.query(`${apl} | project n | limit 3`, {
      ...ALL_TIMES,
      includeCursor: true,
    });
    assert.deepEqual(body.tables[0].columns[0], [9, 8, 7]);
    await local.stored(name, [
      { _time: at(2), n: 100 },
      { _time: at(20), n: 101 },
    ]);
    const cursor = body.status.maxCursor;
    const next = await local.query(`${apl} | sort by _time asc | project n`, {
      ...ALL_TIMES,
      cursor,
    });
    assert.deepEqual(next.body.tables[0].columns[0], [100, 101]);
  });

  it('continues after a restart', async () => {
    const name = await local.dataset('restarted');
    const at = (second: number) => new Date(HOUR + second * 1_000).toISOString();
    const apl = `['${name}'] | sort by _time asc | project n`;
    const numbers = async (members: object) => {
      const { body } = await local.query(apl, { ...ALL_TIMES, ...members });
      return [body.tables[0].columns[0], body.status.maxCursor];
    };
    await Promise.all([1, 2, 3, 4].map((n) => local.stored(name, [{ _time: at(n), n }])));
    const [first, cursor] = await numbers({ includeCursor: true });
    assert.deepEqual(first, [1, 2, 3, 4]);
    await local.reopen();
    assert.deepEqual(await numbers({ cursor }), [[], undefined]);
    await local.stored(name, [{ _time: at(2), n: 5 }]);
    const [second, next] = await numbers({ cursor });
    assert.deepEqual(second, [5]);
    assert.deepEqual(await numbers({ cursor: next }), [
      [],
      next.split('-').with(2, '4').slice(0, 3).join('-'),
    ]);
  });

  it('keeps its position while there are no new events', async () => {
    const name = await local.dataset('quiet');
    await local.stored(name, [{ n: 1 }]);
    const apl = `['${name}'] | sort by _time asc | project n`;
    const first = await local.query(apl, { ...ALL_TIMES, includeCursor: true });
    const cursor = first.body.status.maxCursor;
    const next = await local.query(apl, { ...ALL_TIMES, cursor });
    assert.deepEqual([next.body.tables[0].columns[0], next.body.status.maxCursor], [[], undefined]);
  });
});

describe('a query polled while its dataset is trimmed', () => {
  const ago = (hours: number, ms = 0) =>
    new Date(Date.now() - hours * 3_600_000 + ms).toISOString();
  const trim = (name: string, maxDuration: string) =>
    local.call('POST', `/v2/datasets/${name}/trim`, { maxDuration });

  for (const reopened of [false, true]) {
    it(`returns late events and events with equal times exactly once${reopened ? ', after a restart' : ''}`, async () => {
      const name = await local.dataset(`trimmed-${reopened}`);
      const newest = ago(1);
      const old = Array.from({ length: 100 }, (_, i) => ({ _time: ago(9, i), n: i }));
      const kept = Array.from({ length: 50 }, (_, i) => ({ _time: ago(2, i), n: 100 + i }));
      await local.stored(name, [...old, ...kept, { _time: newest, n: 150 }]);
      const whole = new Follower(`['${name}'] | sort by _time asc | project n`);
      const paged = new Follower(`['${name}'] | sort by _time asc | project n | limit 7`);
      await whole.drain();
      await paged.drain();
      await local.stored(name, [{ _time: ago(3), n: 151 }]);
      assert.equal((await trim(name, '5h')).status, 204);
      await local.stored(name, [
        { _time: newest, n: 152 },
        { _time: ago(2), n: 153 },
      ]);
      if (reopened) await local.reopen();
      // Trims twice without a read in between.
      assert.equal((await trim(name, '4h')).status, 204);
      await local.stored(name, [{ _time: ago(9), n: 154 }]);
      assert.equal((await trim(name, '4h')).status, 204);
      await local.stored(name, [{ _time: ago(3), n: 155 }]);
      await whole.drain();
      await paged.drain();
      const expected = [...Array(154).keys(), 155];
      assert.deepEqual(sorted(whole.events), expected);
      assert.deepEqual(sorted(paged.events), expected);
    });
  }

  it('returns each event exactly once during concurrent writes and trims', async () => {
    const name = await local.dataset('busily-trimmed');
    await local.stored(name, [{ _time: ago(1), n: -1 }]);
    const follower = new Follower(`['${name}'] | sort by _time asc | project n | limit 20`);
    let working = true;
    const writing = [0, 1, 2].map(async (writer) => {
      const below = random(writer);
      for (let n = writer * 1_000; n < writer * 1_000 + 60; n += 1) {
        await local.stored(name, [
          { _time: ago(1, below(50)), n, [`extra${below(5)}`]: 1 },
          // These are deleted before or after they are read.
          { _time: ago(9), n: 100_000 + n },
        ]);
      }
    });
    const trimming = async () => {
      while (working) assert.equal((await trim(name, '4h')).status, 204);
    };
    const following = async () => {
      while (working) await follower.poll();
      await follower.drain();
    };
    const others = [trimming(), following()];
    await Promise.all(writing);
    working = false;
    await Promise.all(others);
    const expected = [0, 1, 2].flatMap((w) => Array.from({ length: 60 }, (_, i) => w * 1_000 + i));
    const read = sorted(follower.events);
    assert.deepEqual(
      read.filter((n) => n < 100_000),
      [-1, ...expected],
    );
    assert.equal(new Set(read).size, read.length);
  });

  it('returns all events of a dataset recreated with the same name', async () => {
    const name = await local.dataset('recreated');
    await local.stored(
      name,
      [1, 2, 3].map((n) => ({ _time: ago(2, n), n })),
    );
    const follower = new Follower(`['${name}'] | sort by _time asc | project n`);
    await follower.drain();
    await local.call('DELETE', `/v2/datasets/${name}`);
    await local.dataset(name);
    await local.stored(
      name,
      [4, 5].map((n) => ({ _time: ago(3, n), n })),
    );
    await follower.drain();
    assert.deepEqual(follower.events, [1, 2, 3, 4, 5]);
  });
});

// Tests only the cursor rules, over random histories of a growing dataset with pages of any size.
describe('a reader that follows the cursor rules', () => {
  const isBefore = (a: Cursor, b: Cursor) =>
    a.time < b.time || (a.time === b.time && a.row < b.row);

  /** Returns whether a row belongs to the page, by the same rule as the planner's SQL. */
  function isNext(at: Cursor, from: ReadCursor | undefined): boolean {
    if (from === undefined || isBefore(from, at)) return isWithin(at, from);
    const { seen, late } = from;
    if (seen === undefined || at.row <= seen) return false;
    return isWithin(at, from) && (late === undefined || isBefore(late, at));
  }

  const isWithin = (at: Cursor, from: ReadCursor | undefined) =>
    from?.late === undefined || at.row <= from.late.seen;

  it('reads each event exactly once in 500 random histories', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const below = random(seed);
      const stored: Cursor[] = [];
      const read: Cursor[] = [];
      let from: ReadCursor | undefined;
      const grow = (count: number) => {
        for (let i = 0; i < count; i += 1) {
          stored.push({ time: BigInt(below(6)), row: BigInt(stored.length) });
        }
      };
      const poll = (most: number) => {
        const rest = stored.filter((at) => isNext(at, from));
        const page = rest.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, most);
        read.push(...page);
        from =
          page.length === 0
            ? (afterEmptyPage(from) ?? from)
            : afterPage(from, page.at(-1)!, BigInt(stored.length - 1));
        return page.length;
      };
      for (let step = 0; step < 30; step += 1) {
        grow(below(4));
        poll(1 + below(4));
      }
      for (let empty = 0; empty < 2; ) empty = poll(3) === 0 ? empty + 1 : 0;
      const rows = sorted(read.map(({ row }) => Number(row)));
      assert.deepEqual(
        rows,
        stored.map(({ row }) => Number(row)),
        `seed ${seed}`,
      );
    }
  });
});
