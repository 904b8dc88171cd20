/** Reads the times and the number of parts for the status of answers. */
import type { DatasetLayout } from '../../store/layout.ts';
import type { BlockCounts, TimeSpan } from '../answers.ts';
import { mergeBounds, type TimeBounds } from '../timeBounds.ts';
import { UntilWrite } from '../untilWrite.ts';
import type { ClickHouse } from './client.ts';
import { timeSql } from './columns.ts';
import type { Tables } from './tables.ts';

/** Finds the layout of a dataset by its table, written as `"database"."table"`. */
export type LayoutOf = (table: string) => DatasetLayout | undefined;

/** The time after which the status is read again, as the datasets of other processes are. */
export const STATUS_MS = 5_000;

export class StatusReader {
  readonly #clickhouse: ClickHouse;
  readonly #tables: Tables;
  readonly #layoutOf: LayoutOf;
  readonly #bounds: UntilWrite<TimeBounds | undefined>;
  readonly #blocks: UntilWrite<BlockCounts>;

  constructor(
    { clickhouse, tables }: { readonly clickhouse: ClickHouse; readonly tables: Tables },
    layoutOf: LayoutOf,
    engine: { readonly writes: number },
  ) {
    this.#clickhouse = clickhouse;
    this.#tables = tables;
    this.#layoutOf = layoutOf;
    this.#bounds = new UntilWrite(engine, STATUS_MS);
    this.#blocks = new UntilWrite(engine, STATUS_MS);
  }

  /** Returns the times of the oldest and newest event of tables in a range. */
  readonly timeBounds = {
    read: (tables: readonly string[], range: TimeSpan, signal: AbortSignal) =>
      this.#bounds.get(keyOf(tables, range), () => this.#readBounds(tables, range, signal)),
  };

  /** Counts the parts of tables, which have the events of a day, by whether their day is in the range. */
  readonly blocks = {
    read: (tables: readonly string[], range: TimeSpan, signal: AbortSignal) =>
      this.#blocks.get(keyOf(tables, range), () => this.#readBlocks(tables, range, signal)),
  };

  async #readBounds(
    tables: readonly string[],
    { start, end }: TimeSpan,
    signal: AbortSignal,
  ): Promise<TimeBounds | undefined> {
    // The order of the table finds these without reading all times.
    const first = (table: string, direction: 'ASC' | 'DESC') =>
      `(SELECT toUnixTimestamp64Nano(_time) FROM ${table} WHERE _time >= ${timeSql(start)} AND _time < ${timeSql(end)} ORDER BY _time ${direction} LIMIT 1)`;
    const rows = await this.#rows<[oldest: string | null, newest: string | null]>(
      tables.map((table) => `SELECT ${first(table, 'ASC')}, ${first(table, 'DESC')}`),
      signal,
    );
    return rows
      .map(([oldest, newest]) =>
        oldest === null || newest === null
          ? undefined
          : { oldest: BigInt(oldest), newest: BigInt(newest) },
      )
      .reduce(mergeBounds, undefined);
  }

  async #readBlocks(
    tables: readonly string[],
    { start, end }: TimeSpan,
    signal: AbortSignal,
  ): Promise<BlockCounts> {
    const day = (nanos: bigint) => `toYYYYMMDD(${timeSql(nanos)})`;
    const isExamined = `toUInt32OrZero(partition_id) BETWEEN ${day(start)} AND ${day(end)}`;
    const statements = tables.flatMap((table) => {
      const layout = this.#layoutOf(table);
      if (layout === undefined) return [];
      const parts = this.#tables.partsOf(layout.name);
      return `SELECT countIf(${isExamined}) AS examined, count() - examined FROM ${parts}`;
    });
    const rows = await this.#rows<[examined: string, skipped: string]>(statements, signal);
    const sum = (index: 0 | 1) => rows.reduce((total, row) => total + Number(row[index]), 0);
    return { examined: sum(0), skipped: sum(1) };
  }

  async #rows<Row extends readonly unknown[]>(
    statements: readonly string[],
    signal: AbortSignal,
  ): Promise<Row[]> {
    if (statements.length === 0) return [];
    return this.#clickhouse.query<Row>(statements.join(' UNION ALL '), {}, signal);
  }
}

function keyOf(tables: readonly string[], { start, end }: TimeSpan): string {
  return `${start} ${end} ${tables.join()}`;
}
