/**
 * Counts the rows that queries examine and match. Repeatable counts are cached until the next write, because ranges are
 * often repeated.
 */
import type { Tally } from '../planner/plan.ts';
import type { UntilWrite } from './untilWrite.ts';

/** The maximum length of the SQL of a cached count, which bounds the memory of the cache. */
const SQL_MAX = 10_000;

type ReadRows = (sql: string, signal: AbortSignal) => Promise<readonly (readonly unknown[])[]>;

export class RowCountReader {
  readonly #counts: UntilWrite<number>;
  readonly #readRows: ReadRows;

  constructor(counts: UntilWrite<number>, readRows: ReadRows) {
    this.#counts = counts;
    this.#readRows = readRows;
  }

  async read(tally: Tally, signal: AbortSignal): Promise<number> {
    const key = `${tally.times.join()} ${tally.sql}`;
    const count = async () => sumOfTally(tally, await this.#readRows(tally.sql, signal));
    return tally.isRepeatable && key.length <= SQL_MAX ? this.#counts.get(key, count) : count();
  }
}

/** Returns the total of a tally's rows, which are counts, or pairs of an index and a count. */
function sumOfTally({ times }: Tally, rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, row) => {
    const [index, count] = row.length === 1 ? [0, Number(row[0])] : row.map(Number);
    return sum + count! * (times[index!] ?? 0);
  }, 0);
}
