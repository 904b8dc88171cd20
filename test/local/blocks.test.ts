// The block counts of a result: DuckDB's row groups, by whether they have times in the query's
// range.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BlockReader } from '../../local/src/engines/duckdb/blocks.ts';
import { type Engine, ROW_GROUP_EVENTS } from '../../local/src/engines/duckdb/database/engine.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const BATCH = 10_000;

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  for (const name of ['days', 'empty']) await local.dataset(name);
});
after(() => local.close());

/** Stores one batch of events per day. */
async function store(from: number, to: number): Promise<void> {
  for (let day = from; day < to; day += 1) {
    const events = Array.from({ length: BATCH }, (_, n) => ({
      _time: new Date(START + day * DAY + n).toISOString(),
      n,
    }));
    await local.stored('days', events);
  }
}

/** Returns the dataset's row groups as DuckDB lists them, with their oldest and newest times. */
async function rowGroups(): Promise<readonly { readonly from: number; readonly to: number }[]> {
  const table = local.store.datasets.get('days')!.layout.table;
  return local.store.engine.use(async (session) => {
    const sizes = await session.rows<[number]>(
      `SELECT sum(count)::INTEGER FROM pragma_storage_info('${table}')
       WHERE column_name = '_time' AND segment_type <> 'VALIDITY'
       GROUP BY row_group_id ORDER BY row_group_id`,
    );
    const groups: { from: number; to: number }[] = [];
    let first = 0;
    for (const [size] of sizes) {
      const [row] = await session.rows<[number, number]>(
        `SELECT epoch_ms(min(_time))::DOUBLE, epoch_ms(max(_time))::DOUBLE FROM ${table}
         WHERE rowid >= ${first} AND rowid < ${first + size}`,
      );
      groups.push({ from: row![0], to: row![1] });
      first += size;
    }
    return groups;
  });
}

async function blocks(apl: string, range: object = ALL_TIMES) {
  const { status, text, body } = await local.query(apl, range);
  assert.equal(status, 200, text);
  const { blocksExamined, blocksMatched, blocksSkipped, blocksCached } = body.status;
  return [blocksExamined, blocksMatched, blocksSkipped, blocksCached];
}

const days = (from: number, to: number) => ({
  startTime: new Date(START + from * DAY).toISOString(),
  endTime: new Date(START + to * DAY).toISOString(),
});

describe('the block counts of a result', () => {
  it('are zero for an empty dataset and for a query without a dataset', async () => {
    assert.deepEqual(await blocks('empty | count'), [0, 0, 0, 0]);
    assert.deepEqual(await blocks('print 1'), [0, 0, 0, 0]);
  });

  it('equal the number of row groups of the stored events', async () => {
    await store(0, 1);
    assert.deepEqual(await blocks('days | count'), [1, 1, 0, 0]);
    await store(1, 13);
    const { length } = await rowGroups();
    assert.ok(length >= 2, `${length} row groups`);
    assert.deepEqual(await blocks('days | count'), [length, length, 0, 0]);
  });

  it('report blocks in the time range as examined and all other blocks as skipped', async () => {
    const groups = await rowGroups();
    for (const [from, to] of [
      [0, 1],
      [12, 13],
      [5, 8],
      [20, 30],
      [0, 13],
    ] as const) {
      const [start, end] = [START + from * DAY, START + to * DAY];
      const examined = groups.filter((group) => group.to >= start && group.from < end).length;
      const [found, , skipped] = await blocks('days | count', days(from, to));
      assert.deepEqual([found, skipped], [examined, groups.length - examined], `${from} to ${to}`);
    }
  });

  it('report no matched blocks if no row matches', async () => {
    const [examined, matched] = await blocks('days | where n == -1');
    assert.deepEqual([examined! > 0, matched], [true, 0]);
    assert.equal((await blocks('days | where n == 7 | limit 1'))[1]! > 0, true);
  });

  it('count a dataset once, even if a query names it twice', async () => {
    const [examined] = await blocks('days | count');
    assert.equal((await blocks('union days, days, empty | count'))[0], examined);
  });

  it('equal the number of row groups in the time range of a large dataset', async () => {
    const table = 'events.large';
    const { engine } = local.store;
    const rows = 5 * ROW_GROUP_EVENTS - 1;
    await engine.use((session) =>
      session.transaction(() =>
        session.run(
          `CREATE TABLE ${table} AS SELECT make_timestamp_ns(n) AS _time FROM range(${rows}) AS t(n)`,
        ),
      ),
    );
    const { signal } = new AbortController();
    for (const [end, examined] of [
      [rows, 5],
      [ROW_GROUP_EVENTS + 1, 2],
      [ROW_GROUP_EVENTS, 1],
    ] as const) {
      const range = { start: 0n, end: BigInt(end) };
      const expected = { examined, skipped: 5 - examined };
      assert.deepEqual(await new BlockReader(engine).read([table], range, signal), expected);
      assert.deepEqual(await new BlockReader(engine, 0n).read([table], range, signal), expected);
    }
  });
});

describe('the first block counts of a large table', () => {
  const rows = 20 * ROW_GROUP_EVENTS - 1_000;
  const { signal } = new AbortController();

  /** Counts the blocks of a new reader, and those of its listing. */
  async function counts(table: string, start: number, end: number, middle = rows / 2) {
    const range = { start: BigInt(start), end: BigInt(end) };
    const first = await new BlockReader(local.store.engine, 0n).read([table], range, signal);
    // A range in the middle of the events is counted by a listing.
    const listing = new BlockReader(local.store.engine, 0n);
    await listing.read([table], { start: BigInt(middle), end: BigInt(middle + 1) }, signal);
    return { first, listed: await listing.read([table], range, signal) };
  }

  before(async () => {
    await local.store.engine.use(async (session) => {
      // Times go back and forth by up to a block.
      await session.run(
        `CREATE TABLE events.ordered AS SELECT make_timestamp_ns((n + hash(n) % 50000)::BIGINT) AS _time FROM range(${rows}) AS t(n)`,
      );
      await session.run(
        `CREATE TABLE events.mixed AS SELECT make_timestamp_ns((hash(n) % ${rows})::BIGINT) AS _time FROM range(${rows}) AS t(n)`,
      );
      await session.run(
        `CREATE TABLE events.early AS SELECT make_timestamp_ns((n - ${rows / 2})::BIGINT) AS _time FROM range(${rows}) AS t(n)`,
      );
      await session.run('CREATE TABLE events.holes AS FROM events.ordered');
      await session.run(`DELETE FROM events.holes WHERE _time < make_timestamp_ns(100000)`);
    });
    // Otherwise, a checkpoint between two counts would remove the empty block. A concurrent writer lets it fail.
    const blocks = async () => {
      const { listed } = await counts('events.holes', 0, rows);
      return listed.examined + listed.skipped;
    };
    while ((await blocks()) === 20) await local.store.engine.checkpointNow();
  });

  it('equal those of the listing for events before 1970', async () => {
    const half = rows / 2;
    for (const [start, end] of [
      [-half, half],
      [70_000 - half, half],
      [-half, half - 70_000],
      [-rows, 70_000 - half],
    ] as const) {
      const { first, listed } = await counts('events.early', start, end, 0);
      assert.deepEqual(first, listed, `${start} to ${end}`);
    }
  });

  for (const [what, table] of [
    ['events in time order', 'events.ordered'],
    ['events in random order', 'events.mixed'],
    ['a table with deleted events', 'events.holes'],
  ] as const) {
    it(`equal those of the listing for ${what}`, async () => {
      for (const start of [0, 1, 30_000, 90_000, 0.5 * rows, 0.95 * rows, rows - 1, 2 * rows])
        for (const end of [start + 1, 70_000, 0.5 * rows, rows - 40_000, rows, 3 * rows]) {
          const [from, to] = [Math.trunc(start), Math.trunc(end)];
          if (to <= from) continue;
          const { first, listed } = await counts(table, from, to);
          assert.deepEqual(first, listed, `${from} to ${to}`);
        }
    });
  }
});

describe('the block counts of a dropped table', () => {
  const always = { start: 0n, end: 2n ** 63n - 1n };
  const none = { examined: 0, skipped: 0 };
  const { signal } = new AbortController();

  it('are zero', async () => {
    const reader = new BlockReader(local.store.engine);
    assert.deepEqual(await reader.read(['events.gone'], always, signal), none);
  });

  it('are zero if a trim drops the table while its blocks are listed', async () => {
    const { engine } = local.store;
    await engine.use((session) => session.run('CREATE TABLE events.trimmed (_time TIMESTAMP_NS)'));
    const dropping: Pick<Engine, 'use' | 'writes'> = {
      writes: 0,
      use: (work) =>
        engine.use((session) => {
          const rows = session.rows.bind(session);
          session.rows = async (sql, values) => {
            const found = await rows(sql, values);
            await session.run('DROP TABLE IF EXISTS events.trimmed');
            return found as never;
          };
          return work(session);
        }),
    };
    const reader = new BlockReader(dropping as Engine);
    assert.deepEqual(await reader.read(['events.trimmed'], always, signal), none);
  });
});
