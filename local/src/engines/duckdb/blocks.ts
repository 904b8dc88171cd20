/**
 * Counts the blocks (DuckDB row groups) that a query with a time range examines and skips. A write makes the listed
 * times of blocks stale. After a slow listing, the next one is delayed, so that listings don't slow down a busy
 * dataset.
 */
import { RecentMap } from '../../store/recentMap.ts';
import { quoteText } from '../../store/sql.ts';
import type { BlockCounts, TimeSpan } from '../answers.ts';
import { firstBlockCounts } from './blocksAtEdges.ts';
import { type Engine, ROW_GROUP_EVENTS } from './database/engine.ts';
import type { Session } from './database/session.ts';

/** The oldest and newest time in a block, in nanoseconds since 1970. Null if unknown. */
type RowGroup = readonly [oldest: bigint | null, newest: bigint | null];

interface Listing {
  readonly writes: number;
  readonly groups: readonly RowGroup[];
  /** The start and the duration of the listing, in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Listings take at most 5 % of the time, because the next one waits for 20 times the last one's duration. */
const RELIST_FACTOR = 20;

const LISTINGS_MAX = 1_000;

/** The delay after the first query of a large table before its blocks are listed. */
const LIST_AFTER_MS = 2_000;

export class BlockReader {
  readonly #engine: Engine;
  readonly #listedValuesMax: bigint;
  readonly #listings = new RecentMap<Listing>(LISTINGS_MAX);
  readonly #firstCounted = new RecentMap<BlockCounts & { readonly writes: number }>(LISTINGS_MAX);
  /** Large tables whose blocks are being listed, or will be after `LIST_AFTER_MS`. */
  readonly #unlisted = new Set<string>();

  /** `listedValuesMax`: the maximum number of values in a table whose storage info is read to list its blocks. */
  constructor(engine: Engine, listedValuesMax = LISTED_VALUES_MAX) {
    this.#engine = engine;
    this.#listedValuesMax = listedValuesMax;
  }

  /** Counts the blocks of tables. `tables` are SQL names. The range is half-open, in nanoseconds since 1970. */
  async read(
    tables: readonly string[],
    range: TimeSpan,
    signal: AbortSignal,
  ): Promise<BlockCounts> {
    const { start, end } = range;
    let examined = 0;
    let skipped = 0;
    for (const table of tables) {
      const first = await this.#firstCounts(table, range, signal);
      if (first !== undefined) {
        examined += first.examined;
        skipped += first.skipped;
        continue;
      }
      const { groups, writes } = await this.#listing(table, signal);
      const isOpen = writes !== this.#engine.writes;
      for (const [i, [oldest, newest]] of groups.entries()) {
        // The last block may contain rows written since the listing, so its times may differ.
        const mayGrow = isOpen && i === groups.length - 1;
        const isBefore = newest !== null && newest < start && !mayGrow;
        if (isBefore || (oldest !== null && oldest >= end)) skipped += 1;
        else examined += 1;
      }
    }
    return { examined, skipped };
  }

  /**
   * Counts the blocks of a large table before it is listed, because a listing would delay the first answers after a
   * start. Returns undefined if the table is listed or small, or if a listing is faster.
   */
  async #firstCounts(
    table: string,
    range: TimeSpan,
    signal: AbortSignal,
  ): Promise<BlockCounts | undefined> {
    if (this.#listings.get(table) !== undefined) return undefined;
    const key = `${table} ${range.start} ${range.end}`;
    const { writes } = this.#engine;
    const known = this.#firstCounted.get(key);
    if (known?.writes === writes) return known;
    const counts = await this.#engine.use(async (session) => {
      const [size] = await session.rows<[values: bigint, rows: bigint]>(tableSizeSql(table));
      if (size === undefined || size[0] <= this.#listedValuesMax) return undefined;
      return firstBlockCounts(session, table, size[1], range);
    }, signal);
    if (counts === undefined) return undefined;
    this.#firstCounted.set(key, { ...counts, writes });
    this.#listLater(table);
    return counts;
  }

  #listLater(table: string): void {
    if (this.#unlisted.has(table)) return;
    this.#unlisted.add(table);
    const list = () =>
      this.#listing(table, new AbortController().signal)
        // Ignore a failure, for example because the engine was closed: the next query lists the blocks.
        .catch(() => undefined)
        .finally(() => this.#unlisted.delete(table));
    setTimeout(list, LIST_AFTER_MS).unref();
  }

  async #listing(table: string, signal: AbortSignal): Promise<Listing> {
    const known = this.#listings.get(table);
    const { writes } = this.#engine;
    const startedAt = performance.now();
    if (known?.writes === writes) return known;
    if (known !== undefined && startedAt - known.startedAt < known.durationMs * RELIST_FACTOR)
      return known;
    const groups = await this.#engine.use((session) => this.#listRowGroups(session, table), signal);
    // The first listing of a table is always slow, so its duration doesn't predict the duration of the next one.
    const durationMs = known === undefined ? 0 : performance.now() - startedAt;
    const listed = { writes, groups, startedAt, durationMs };
    this.#listings.set(table, listed);
    return listed;
  }

  async #listRowGroups(session: Session, table: string): Promise<readonly RowGroup[]> {
    const size = () => session.rows<[values: bigint, rows: bigint]>(tableSizeSql(table));
    const [found] = await size();
    if (found === undefined) return [];
    try {
      const isLarge = found[0] > this.#listedValuesMax;
      return await session.rows<RowGroup>(isLarge ? fullRowGroupsSql(table) : segmentsSql(table));
    } catch (error) {
      if ((await size()).length > 0) throw error;
      return [];
    }
  }
}

// A segment's statistics are a string: `[Min: 2026-01-01 00:00:00, Max: 2026-01-02 00:00:00][Has Null: …]`.
function segmentsSql(table: string): string {
  const bound = (name: string) =>
    `epoch_ns(TRY_CAST(regexp_extract(stats, '${name}: ([^,\\]]+)', 1) AS TIMESTAMP_NS))`;
  return `SELECT min(${bound('Min')}), max(${bound('Max')}) FROM pragma_storage_info(${quoteText(table)})
    WHERE column_name = '_time' AND segment_type <> 'VALIDITY' GROUP BY row_group_id ORDER BY row_group_id`;
}

// Lists blocks as if all row groups were full, because `pragma_storage_info` loads and keeps all segments' metadata:
// 200 MB in half a second for 3,000,000 events with 41 fields.
function fullRowGroupsSql(table: string): string {
  return `SELECT epoch_ns(min("_time")), epoch_ns(max("_time")) FROM ${table}
    GROUP BY rowid // ${ROW_GROUP_EVENTS} ORDER BY rowid // ${ROW_GROUP_EVENTS}`;
}

function tableSizeSql(table: string): string {
  return `SELECT estimated_size * column_count, estimated_size FROM duckdb_tables()
    WHERE database_name = current_database() AND concat(schema_name, '.', table_name) = ${quoteText(table)}`;
}

const LISTED_VALUES_MAX = 20_000_000n;
