/**
 * Sends rows to ClickHouse. DuckDB writes the rows that it has read from a body to a file in the spool folder, and the
 * file is sent as one block with a token. ClickHouse ignores a block whose token it knows, so a block can be sent again
 * if the answer was lost. A block with events of several days has a part per day, and each part is stored once.
 */

import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatasetLayout, duckdbTypes } from '../../store/layout.ts';
import { quoteName as duckdbName, quoteText as duckdbText } from '../../store/sql.ts';
import type { Session } from '../duckdb/database/session.ts';
import type { ComputedRows } from '../events.ts';
import type { ClickHouse } from './client.ts';
import { ROW_COLUMN } from './columns.ts';
import type { Settings } from './driver.ts';
import { quoteName } from './quotes.ts';
import { ROW_STEP } from './rowNumbers.ts';
import type { Tables } from './tables.ts';

/** More rows than a block of ingest has, so that ClickHouse stores each day's rows of a block as one part. */
const BLOCK_ROWS = 4_000_000;
const BLOCK_BYTES = 8 * 2 ** 30;

const settings: Settings = {
  // An asynchronous insert would ignore the token.
  async_insert: 0,
  insert_deduplicate: 1,
  max_insert_block_size: BLOCK_ROWS,
  min_insert_block_size_rows: BLOCK_ROWS,
  min_insert_block_size_bytes: BLOCK_BYTES,
  max_insert_threads: 1,
  max_partitions_per_insert_block: 0,
  input_format_parquet_allow_missing_columns: 0,
  // Answer after the rows are stored, with a status that says whether they are.
  wait_end_of_query: 1,
};

const clusterSettings: Settings = {
  ...settings,
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
};

interface RowsFile {
  readonly path: string;
  readonly format: 'Parquet' | 'CSV';
  readonly count: number;
}

export class RowsFiles {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes rows to a file, with row numbers from `firstRow`. The caller deletes it. */
  async write(
    session: Session,
    layout: DatasetLayout,
    { columns, values, from }: ComputedRows,
    firstRow: bigint,
  ): Promise<RowsFile> {
    const types = typesByColumn(layout);
    const numbered = `${firstRow} + (row_number() OVER () - 1) * ${ROW_STEP}`;
    const isPlain =
      columns.every(isPlainName) && new Set(columns.map(lowerCase)).size === columns.length;
    // DuckDB changes some names, so refer to the columns by position, which only a text format can do.
    const nameAt = (index: number, name: string) => duckdbName(isPlain ? name : `c${index}`);
    const select = [
      ...values.map((value, index) => {
        const type = types.get(columns[index]!)!;
        const cast = `CAST(${value} AS ${type})`;
        const sql = type === 'JSON' ? `CAST(${cast} AS VARCHAR)` : cast;
        return `${sql} AS ${nameAt(index, columns[index]!)}`;
      }),
      `${numbered} AS ${nameAt(columns.length, ROW_COLUMN)}`,
    ].join(', ');
    const path = join(this.#folder, `${this.#count++}.rows`);
    const format = isPlain ? parquetFormat(types, columns) : csvFormat(types, columns, nameAt);
    try {
      const count = await session.run(
        `COPY (SELECT ${select} ${from}) TO ${duckdbText(path)} (${format}, USE_TMP_FILE false)`,
      );
      return { path, format: isPlain ? 'Parquet' : 'CSV', count };
    } catch (error) {
      await deleteFile(path);
      throw error;
    }
  }
}

function parquetFormat(types: ReadonlyMap<string, string>, columns: readonly string[]): string {
  const hasFloats = columns.some((column) => types.get(column) === 'DOUBLE');
  // A dictionary of DuckDB has -0.0 and 0.0 as one value.
  return hasFloats ? 'FORMAT parquet, DICTIONARY_SIZE_LIMIT 0' : 'FORMAT parquet';
}

function csvFormat(
  types: ReadonlyMap<string, string>,
  columns: readonly string[],
  nameAt: (index: number, name: string) => string,
): string {
  // Quotes distinguish strings from null. ClickHouse doesn't accept them around booleans.
  const texts = columns.flatMap((column, index) =>
    ['VARCHAR', 'JSON'].includes(types.get(column)!) ? [nameAt(index, column)] : [],
  );
  const quoted = texts.length === 0 ? '' : `, FORCE_QUOTE (${texts.join(', ')})`;
  return `FORMAT csv, HEADER false, NULLSTR '\\N'${quoted}`;
}

export async function sendRows(
  clickhouse: ClickHouse,
  tables: Tables,
  { name }: DatasetLayout,
  columns: readonly string[],
  { path, format }: RowsFile,
): Promise<void> {
  const list = [...columns, ROW_COLUMN].map(quoteName).join(', ');
  const sql = `INSERT INTO ${tables.nameOf(name)} (${list}) FORMAT ${format}`;
  await clickhouse.insert(sql, path, {
    ...(tables.cluster === undefined ? settings : clusterSettings),
    insert_deduplication_token: randomUUID(),
  });
}

export async function deleteFile(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

function typesByColumn({ fields }: DatasetLayout): Map<string, string> {
  return new Map(
    fields.flatMap(({ variants }) =>
      variants.map(({ type, column }) => [column, duckdbTypes[type]]),
    ),
  );
}

/** Returns whether DuckDB keeps a name as it is: names of Parquet columns, but not those of SQL, may contain NUL. */
function isPlainName(name: string): boolean {
  return !name.includes('\0');
}

// DuckDB compares names without case. For non-ASCII letters, its rules may differ, so those count as equal early.
function lowerCase(name: string): string {
  return name.toLowerCase();
}
