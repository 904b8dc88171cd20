/**
 * Counts a dataset's blocks (DuckDB row groups) with times in a range. The blocks' oldest and newest times are listed
 * for the first query and again after a write. A listing that took long is repeated less often, so it doesn't slow
 * down a dataset under constant reads and writes.
 */
import { type Engine, ROW_GROUP_EVENTS, type Session } from './duckdb.ts';
import { quoteText } from './sql.ts';

/** A block's times in nanoseconds since 1970; null if unknown. */
type Group = readonly [oldest: bigint | null, newest: bigint | null];

interface Known {
  readonly writes: number;
  readonly groups: readonly Group[];
  /** Start and duration of the listing, in milliseconds. */
  readonly at: number;
  readonly took: number;
}

export interface BlockCounts {
  /** Blocks with times in the range. */
  readonly examined: number;
  /** Blocks without times in the range. */
  readonly skipped: number;
}

/**
 * A table is listed again after this many times the duration of its last listing, so listing takes at most 5 % of the
 * time.
 */
const REST = 20;

const KNOWN_MAX = 1_000;

export class BlockReader {
  readonly #engine: Engine;
  readonly #largeValues: bigint;
  readonly #known = new Map<string, Known>();

  /** `largeValues`: the maximum number of values, including nulls, of a table whose segments are listed. */
  constructor(engine: Engine, largeValues = LARGE_VALUES) {
    this.#engine = engine;
    this.#largeValues = largeValues;
  }

  /** Counts the blocks of all `tables`, named as in SQL. The range is half-open, in nanoseconds since 1970. */
  async read(
    tables: readonly string[],
    { start, end }: { readonly start: bigint; readonly end: bigint },
    signal: AbortSignal,
  ): Promise<BlockCounts> {
    let examined = 0;
    let skipped = 0;
    for (const table of tables) {
      const { groups, writes } = await this.#list(table, signal);
      const isOpen = writes !== this.#engine.writes;
      for (const [i, [oldest, newest]] of groups.entries()) {
        // Rows written since the listing are in the last block or a later one.
        const mayGrow = isOpen && i === groups.length - 1;
        const isBefore = newest !== null && newest < start && !mayGrow;
        if (isBefore || (oldest !== null && oldest >= end)) skipped += 1;
        else examined += 1;
      }
    }
    return { examined, skipped };
  }

  async #list(table: string, signal: AbortSignal): Promise<Known> {
    const known = this.#known.get(table);
    const { writes } = this.#engine;
    const at = performance.now();
    if (known?.writes === writes) return known;
    if (known !== undefined && at - known.at < known.took * REST) return known;
    const groups = await this.#engine.use((session) => this.#groups(session, table), signal);
    // A first listing is slow for any table, so its duration doesn't predict the next.
    const took = known === undefined ? 0 : performance.now() - at;
    const listed = { writes, groups, at, took };
    this.#known.delete(table);
    this.#known.set(table, listed);
    const [first] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && first !== undefined) this.#known.delete(first);
    return listed;
  }

  /** Lists the blocks of a table. A table dropped by a concurrent trim or deletion has none. */
  async #groups(session: Session, table: string): Promise<readonly Group[]> {
    const size = () => session.rows<[values: bigint]>(valuesSql(table));
    const [found] = await size();
    if (found === undefined) return [];
    try {
      return await session.rows<Group>(listSql(table, found[0] > this.#largeValues));
    } catch (error) {
      if ((await size()).length > 0) throw error;
      return [];
    }
  }
}

/** Returns the query for the row groups of `table`, a SQL name with its schema. */
function listSql(table: string, isLarge: boolean): string {
  return isLarge ? evenlySql(table) : segmentsSql(table);
}

// The statistics of a segment are text: `[Min: 2026-01-01 00:00:00, Max: 2026-01-02 00:00:00][Has Null: …]`.
function segmentsSql(table: string): string {
  const bound = (name: string) =>
    `epoch_ns(TRY_CAST(regexp_extract(stats, '${name}: ([^,\\]]+)', 1) AS TIMESTAMP_NS))`;
  return `SELECT min(${bound('Min')}), max(${bound('Max')}) FROM pragma_storage_info(${quoteText(table)})
    WHERE column_name = '_time' AND segment_type <> 'VALIDITY' GROUP BY row_group_id ORDER BY row_group_id`;
}

// `pragma_storage_info` loads and keeps the metadata of the segments of all columns: 200 MB and half a second for
// 3,000,000 events with 41 fields. The row groups of a large table are therefore assumed to be full.
function evenlySql(table: string): string {
  return `SELECT epoch_ns(min("_time")), epoch_ns(max("_time")) FROM ${table}
    GROUP BY rowid // ${ROW_GROUP_EVENTS} ORDER BY rowid // ${ROW_GROUP_EVENTS}`;
}

function valuesSql(table: string): string {
  return `SELECT estimated_size * column_count FROM duckdb_tables()
    WHERE database_name = current_database() AND concat(schema_name, '.', table_name) = ${quoteText(table)}`;
}

const LARGE_VALUES = 20_000_000n;
