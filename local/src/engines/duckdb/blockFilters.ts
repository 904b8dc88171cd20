/**
 * Narrows look-ups of rare texts, such as the ID of a trace, to the times at which events with the text may have
 * occurred, without reading the column. Each block of events has a Bloom filter in memory. The first look-up in a column
 * starts to build its filters, and later look-ups add those of new blocks.
 */
import { totalmem } from 'node:os';
import type { Lookup, Narrowed } from '../../planner/plan.ts';
import * as print from '../../planner/sql.ts';
import { Semaphore } from '../../store/locks.ts';
import { RecentMap } from '../../store/recentMap.ts';
import { quoteName } from '../../store/sql.ts';
import type { TimeSpan } from '../answers.ts';
import { UntilWrite } from '../untilWrite.ts';
import { type BloomFilter, bloomAggregates, bloomBytes, bloomHash, mayContain } from './bloom.ts';
import { type Engine, ROW_GROUP_EVENTS } from './database/engine.ts';
import type { Session } from './database/session.ts';

/** The times of the oldest and newest event, in nanoseconds since 1970. Null if no event has a time. */
type Times = readonly [oldest: bigint | null, newest: bigint | null];

interface Block {
  readonly rows: number;
  readonly times: Times;
  readonly filter: BloomFilter;
}

/** The blocks of a column, which contain the first rows of the table. The last block may be partial. */
type Blocks = readonly Block[];

/** The events for which a look-up may hold, or those after the first rows of a table. */
interface Found {
  readonly times: Times;
  readonly lastRow: bigint;
}

interface Options {
  /** The number of rows in a block, a multiple of 8. */
  readonly blockRows: number;
  /** The number of rows without filters for which filters are built. */
  readonly minRows: number;
  /** The number of different texts in a block below which a column gets no filters. */
  readonly minTexts: number;
  readonly maxBytes: number;
  readonly delayMs: number;
}

const DEFAULTS: Options = {
  blockRows: ROW_GROUP_EVENTS,
  // Fewer rows are read in a few milliseconds.
  minRows: 8 * ROW_GROUP_EVENTS,
  // Fewer texts are usually in all blocks.
  minTexts: 500,
  maxBytes: totalmem() / 100,
  // Building filters would slow down the look-up that starts it.
  delayMs: 500,
};

/** The number of blocks whose filters are built by one statement, which bounds its memory. */
const BLOCKS_AT_ONCE = 32;

/** The number of statements that read the times and hashes of look-ups at the same time. */
const CONCURRENT_READS = 4;

const UNFIT_MAX = 1_000;

export class BlockFilters {
  readonly #engine: Engine;
  readonly #options: Options;
  /** The blocks by table and column. The last column was used most recently. */
  readonly #columns = new Map<string, Blocks>();
  /** The number of rows up to which a column gets no filters, by table and column. */
  readonly #unfit = new RecentMap<number>(UNFIT_MAX);
  readonly #pending = new Set<string>();
  /** The rows after a number of first rows, by table and number. */
  readonly #rests: UntilWrite<Found>;
  readonly #reading = new Semaphore(CONCURRENT_READS);
  readonly #building = new Semaphore(1);

  constructor(engine: Engine, options: Partial<Options> = {}) {
    this.#engine = engine;
    this.#rests = new UntilWrite(engine);
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Returns the events for which all look-ups may hold, or undefined if no column has filters yet. */
  async narrowed(
    range: TimeSpan,
    lookups: readonly Lookup[],
    signal: AbortSignal,
  ): Promise<Narrowed | undefined> {
    let narrowed: Narrowed | undefined;
    for (const lookup of lookups) {
      const blocks = this.#columns.get(keyOf(lookup));
      const found = blocks && (await this.#find(lookup, blocks, signal));
      if (found === undefined) {
        this.#extendLater(lookup);
        continue;
      }
      // A later look-up may have searched newer rows than an earlier one.
      narrowed = {
        lookups,
        range: overlap(narrowed?.range ?? range, found.times),
        lastRow: narrowed?.lastRow ?? found.lastRow,
      };
    }
    return narrowed;
  }

  /** Finds the times of the blocks that may contain a text, and of the rows after the blocks. */
  async #find(lookup: Lookup, blocks: Blocks, signal: AbortSignal): Promise<Found | undefined> {
    const rows = rowsOf(blocks);
    const { table, texts } = lookup;
    const read = async (session: Session) => ({
      ...(await this.#rests.get(`${table} ${rows}`, () => readRest(session, table, rows))),
      hashes: await readHashes(session, texts),
    });
    const found = await this.#reading
      .run(() => this.#engine.use(read, signal), signal)
      .catch(() => undefined);
    signal.throwIfAborted();
    // The table may have been dropped. The query itself reports an error.
    if (found === undefined) return undefined;
    this.#use(lookup, this.#columns.get(keyOf(lookup)) ?? blocks);
    const { lastRow, hashes } = found;
    if (lastRow - BigInt(rows) >= this.#options.minRows) this.#extendLater(lookup);
    const mayMatch = blocks.filter(({ filter }) => hashes.some((hash) => mayContain(filter, hash)));
    return { lastRow, times: [found.times, ...mayMatch.map(({ times }) => times)].reduce(span) };
  }

  #extendLater(lookup: Lookup): void {
    const key = keyOf(lookup);
    if (this.#pending.has(key)) return;
    this.#pending.add(key);
    const extend = () =>
      this.#building
        .run(() => this.#engine.use((session) => this.#extend(session, lookup)))
        // Ignore a failure, for example because the table was dropped: look-ups then read the column.
        .catch(() => undefined)
        .finally(() => this.#pending.delete(key));
    setTimeout(extend, this.#options.delayMs).unref();
  }

  /** Builds the filters of a column's blocks that have none, if the column is worth it. */
  async #extend(session: Session, lookup: Lookup): Promise<void> {
    const { blockRows, minRows, minTexts, maxBytes } = this.#options;
    const key = keyOf(lookup);
    const known = this.#columns.get(key) ?? [];
    const rows = await readRowCount(session, lookup.table);
    if (rows - rowsOf(known) < minRows || rows < (this.#unfit.get(key) ?? 0)) return;
    const texts = await readTextCount(session, lookup, rows - blockRows);
    if (texts < minTexts || this.#bytesOf(rows) > maxBytes) {
      this.#unfit.set(key, rows * 2);
      return;
    }
    this.#makeRoom(key, this.#bytesOf(rows));
    const blocks = known.filter((block) => block.rows === blockRows);
    for (let isEnd = false; !isEnd; ) {
      const added = await readBlocks(session, lookup, rowsOf(blocks), blockRows);
      blocks.push(...added);
      isEnd = rowsOf(added) < BLOCKS_AT_ONCE * blockRows;
    }
    this.#use(lookup, blocks);
  }

  #use(lookup: Lookup, blocks: Blocks): void {
    const key = keyOf(lookup);
    this.#columns.delete(key);
    this.#columns.set(key, blocks);
  }

  /** Removes other columns, least recently used first, until a column's filters of `wanted` bytes have room. */
  #makeRoom(wantedKey: string, wanted: number): void {
    const others = [...this.#columns].filter(([key]) => key !== wantedKey);
    const bytesOf = (blocks: Blocks) => this.#bytesOf(rowsOf(blocks));
    let bytes = others.reduce((sum, [, blocks]) => sum + bytesOf(blocks), wanted);
    for (const [key, blocks] of others) {
      if (bytes <= this.#options.maxBytes) return;
      this.#columns.delete(key);
      bytes -= bytesOf(blocks);
    }
  }

  /** Returns the memory of a column's filters. The filter of a partial block is as large as that of a full block. */
  #bytesOf(rows: number): number {
    const { blockRows } = this.#options;
    return bloomBytes(Math.ceil(rows / blockRows) * blockRows);
  }
}

function rowsOf(blocks: Blocks): number {
  return blocks.reduce((sum, { rows }) => sum + rows, 0);
}

function keyOf({ table, column }: Lookup): string {
  return `${table} ${column}`;
}

function overlap(range: TimeSpan, [oldest, newest]: Times): TimeSpan {
  if (oldest === null || newest === null) return { start: range.start, end: range.start };
  const start = oldest > range.start ? oldest : range.start;
  const end = newest < range.end ? newest + 1n : range.end;
  return { start, end: end < start ? start : end };
}

function span([oldest, newest]: Times, [start, end]: Times): Times {
  if (oldest === null || newest === null) return [start, end];
  if (start === null || end === null) return [oldest, newest];
  return [oldest < start ? oldest : start, newest > end ? newest : end];
}

const timesSql = 'epoch_ns(min("_time")), epoch_ns(max("_time"))';

/** Reads the times and the last number of a table's rows after the first `rows`. */
async function readRest(session: Session, table: string, rows: number): Promise<Found> {
  const [found] = await session.rows<[bigint | null, bigint | null, bigint]>(
    `SELECT ${timesSql}, coalesce(max(rowid), ${rows - 1}) FROM ${table} WHERE rowid >= ${rows}`,
  );
  const [oldest, newest, lastRow] = found!;
  return { times: [oldest, newest], lastRow };
}

async function readHashes(session: Session, texts: readonly string[]): Promise<bigint[]> {
  const hashes = texts.map((text) => `hash(${print.text(text).text})`).join(', ');
  const [found] = await session.rows<bigint[]>(`SELECT ${hashes}`);
  return found!;
}

async function readRowCount(session: Session, table: string): Promise<number> {
  const [row] = await session.rows<[last: bigint | null]>(`SELECT max(rowid) FROM ${table}`);
  return Number(row?.[0] ?? -1n) + 1;
}

/** Estimates the number of different texts in a column's rows from row `from` on. */
async function readTextCount(session: Session, { table, column }: Lookup, from: number) {
  const count = `approx_count_distinct(${quoteName(column)})`;
  const [row] = await session.rows<[bigint]>(
    `SELECT ${count} FROM ${table} WHERE rowid >= ${Math.max(from, 0)}`,
  );
  return Number(row![0]);
}

type BlockRow = [
  block: bigint,
  lastRow: bigint,
  rows: bigint,
  oldest: bigint | null,
  newest: bigint | null,
  ...filter: (Uint8Array | null)[],
];

/** Builds the filters of blocks from row `from` on, up to a block with a missing row, or to the last, partial block. */
async function readBlocks(
  session: Session,
  { table, column }: Lookup,
  from: number,
  blockRows: number,
): Promise<Blocks> {
  const rows = await session.rows<BlockRow>(
    `SELECT rowid // ${blockRows} AS block, max(rowid), count(*), ${timesSql}, ${bloomAggregates(blockRows)}
     FROM (SELECT rowid, "_time", ${bloomHash(column)} AS hash FROM ${table}
       WHERE rowid >= ${from} AND rowid < ${from + BLOCKS_AT_ONCE * blockRows})
     GROUP BY block ORDER BY block`,
  );
  const blocks: Block[] = [];
  let next = BigInt(from);
  for (const [, last, count, oldest, newest, ...filter] of rows) {
    if (last + 1n !== next + count) break;
    next += count;
    blocks.push({ rows: Number(count), times: [oldest, newest], filter });
  }
  return blocks;
}
