/**
 * The blocks of datasets, which are DuckDB's row groups: how many of them have times in a range. They are listed
 * with their oldest and newest times when a query first asks, and again after something was written, unless listing
 * them took so long that it would slow down a dataset that is written to and read all the time.
 */
import type { Engine, Session } from './duckdb.ts';
import { quoteText } from './sql.ts';

/** Nanoseconds since 1970; null where the group's times are not known. */
type Group = readonly [oldest: bigint | null, newest: bigint | null];

interface Known {
  readonly writes: number;
  readonly groups: readonly Group[];
  /** When they were listed, and how long that took, in milliseconds. */
  readonly at: number;
  readonly took: number;
}

export interface BlockCounts {
  /** Blocks with times in the range. */
  readonly examined: number;
  /** The others. */
  readonly skipped: number;
}

/** Listing may take this part of the time at most, so that it is put off for so many times as long as it took. */
const REST = 20;

const KNOWN_MAX = 1_000;

export class BlockReader {
  readonly #engine: Engine;
  readonly #largeValues: bigint;
  readonly #known = new Map<string, Known>();

  /** `largeValues` is how many values, null or not, a table has at most whose segments are looked at. */
  constructor(engine: Engine, largeValues = LARGE_VALUES) {
    this.#engine = engine;
    this.#largeValues = largeValues;
  }

  /** Of all these tables together, named as in SQL; the range is half-open, in nanoseconds since 1970. */
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
        // What was written since the listing is in the last one, or after it.
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
    // The first listing of all is slow whatever the table, and tells nothing of the next.
    const took = known === undefined ? 0 : performance.now() - at;
    const listed = { writes, groups, at, took };
    this.#known.delete(table);
    this.#known.set(table, listed);
    const [first] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && first !== undefined) this.#known.delete(first);
    return listed;
  }

  /** Lists the blocks of a table. One that a trim or a deletion has dropped since it was named has none. */
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

/** The row groups of a table, named as in SQL with its schema. */
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

// To list its row groups, DuckDB loads and keeps the metadata of the segments of all columns: 200 MB and half a
// second of 3,000,000 events with 41 fields. Of a large table they are taken to be full.
function evenlySql(table: string): string {
  return `SELECT epoch_ns(min("_time")), epoch_ns(max("_time")) FROM ${table}
    GROUP BY rowid // ${ROW_GROUP_SIZE} ORDER BY rowid // ${ROW_GROUP_SIZE}`;
}

function valuesSql(table: string): string {
  return `SELECT estimated_size * column_count FROM duckdb_tables()
    WHERE database_name = current_database() AND concat(schema_name, '.', table_name) = ${quoteText(table)}`;
}

/** Rows of a full row group, by DuckDB's default. */
const ROW_GROUP_SIZE = 122_880;

const LARGE_VALUES = 20_000_000n;
