/**
 * Finds the oldest and newest event of datasets in a range, using the time statistics of row groups. Results are cached
 * until the next write, because the same range is often requested again.
 */
import * as print from '../../planner/sql.ts';
import { mergeBounds, type TimeBounds } from '../timeBounds.ts';
import { UntilWrite } from '../untilWrite.ts';
import type { Engine } from './database/engine.ts';

export class TimeBoundsReader {
  readonly #engine: Engine;
  readonly #bounds: UntilWrite<TimeBounds | undefined>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#bounds = new UntilWrite(engine);
  }

  /** Returns the bounds of the events in a range, or undefined if there are none. `tables` are SQL names. */
  async read(
    tables: readonly string[],
    range: { readonly start: bigint; readonly end: bigint },
    signal: AbortSignal,
  ): Promise<TimeBounds | undefined> {
    const keyOf = (table: string) => `${table} ${range.start} ${range.end}`;
    const { writes } = this.#engine;
    const found = new Map<string, TimeBounds | undefined>();
    const unknown: string[] = [];
    for (const table of tables) {
      const known = this.#bounds.find(keyOf(table));
      if (known !== undefined) found.set(table, known.value);
      else unknown.push(table);
    }
    if (unknown.length > 0) {
      const sql = boundsSql(unknown, range);
      const rows = await this.#engine.use(
        (session) =>
          session.rows<[index: number, oldest: bigint | null, newest: bigint | null]>(sql),
        signal,
      );
      for (const [index, oldest, newest] of rows) {
        const table = unknown[index]!;
        const bounds = oldest === null || newest === null ? undefined : { oldest, newest };
        found.set(table, bounds);
        this.#bounds.set(keyOf(table), bounds, writes);
      }
    }
    return [...found.values()].reduce(mergeBounds, undefined);
  }
}

function boundsSql(
  tables: readonly string[],
  { start, end }: { readonly start: bigint; readonly end: bigint },
): string {
  const within = `"_time" >= ${print.datetime(start).text} AND "_time" < ${print.datetime(end).text}`;
  return tables
    .map((table, index) => {
      const first = (direction: 'ASC' | 'DESC') =>
        `(SELECT epoch_ns("_time") FROM ${table} WHERE ${within} ORDER BY "_time" ${direction} LIMIT 1)`;
      return `SELECT ${index}, ${first('ASC')}, ${first('DESC')}`;
    })
    .join(' UNION ALL ');
}
