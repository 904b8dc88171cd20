/**
 * Finds an answer's events that are new to a followed query's table. Requests overlap, because an event may become
 * visible after one that arrived later. Events are identified by cursor or, without one, by their entire row. Equal
 * rows are counted, because an answer contains either all or none of them.
 */
import { createHash } from 'node:crypto';
import type { Column } from './columns/column.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { nanosOf } from './columns/timeValues.ts';
import { Invalid } from './invalid.ts';
import type { LongTask } from './rowSource.ts';

const second = 1_000_000_000n;

/** Options of a table that follows a query while new events arrive. */
export interface Follow {
  /** The columns with each event's cursor and arrival time, which aren't kept in the table. */
  readonly cursor: string;
  readonly arrival: string;
  /** The table's limits. Beyond them, the oldest rows are removed. */
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly newestFirst: boolean;
  /** An RFC 3339 time. Events that arrived earlier are never requested again, so they can be forgotten. */
  readonly forgetBefore?: string;
}

export class Following {
  /** Counts of known events, grouped by the second of arrival so that entire seconds can be forgotten. */
  readonly #seen = new Map<bigint, Map<string, number>>();

  /**
   * Returns the new rows by arrival, the columns to show (all except cursor and arrival), and the answer's first and
   * last arrival in nanoseconds since 1970.
   */
  async take(added: HeldTable, follow: Follow, task: LongTask) {
    this.#forget(follow.forgetBefore);
    const arrivalAt = added.fields.findLastIndex(({ name }) => name === follow.arrival);
    const cursorAt = added.fields.findLastIndex(({ name }) => name === follow.cursor);
    const columns = [...added.fields.keys()].filter(
      (index) => index !== arrivalAt && index !== cursorAt,
    );
    if (added.rowCount === 0) return { rows: new Uint32Array(0), columns };
    const arrivalColumn = added.columns[arrivalAt];
    if (arrivalColumn === undefined)
      throw new Invalid('The response does not say when each event arrived.');
    const arrivals = await arrivalsOf(arrivalColumn, added.rowCount, task);
    const order = inOrder(arrivals);
    const cursors = added.columns[cursorAt];
    const here = new Map<string, number>();
    const rows: number[] = [];
    for (const row of order) {
      const cursor = cursors?.text(row) ?? undefined;
      const key = cursor ?? contentOf(added.columns, row);
      const seen = this.#ofSecond(arrivals[row] as bigint);
      const count = (here.get(key) ?? 0) + 1;
      here.set(key, count);
      const known = seen.get(key) ?? 0;
      if (count > known && (cursor === undefined || known === 0)) {
        seen.set(key, count);
        rows.push(row);
      }
      if (task.due) await task.pause(rows.length, added.rowCount);
    }
    return {
      rows: Uint32Array.from(rows),
      columns,
      earliest: arrivals[order[0] as number] as bigint,
      latest: arrivals[order.at(-1) as number] as bigint,
    };
  }

  #ofSecond(arrival: bigint): Map<string, number> {
    const at = arrival / second;
    let seen = this.#seen.get(at);
    if (seen === undefined) {
      seen = new Map();
      this.#seen.set(at, seen);
    }
    return seen;
  }

  #forget(before: string | undefined): void {
    if (before === undefined) return;
    const first = nanosOf(before) / second;
    for (const at of this.#seen.keys()) if (at < first) this.#seen.delete(at);
  }
}

/** Returns arrivals in nanoseconds since 1970 by row. */
async function arrivalsOf(column: Column, count: number, task: LongTask): Promise<BigInt64Array> {
  const arrivals = new BigInt64Array(count);
  const times = column.store.times();
  for (let row = 0; row < count; row++) {
    const nanos = times.nanos(row);
    if (nanos === undefined)
      throw new Invalid('The response does not say when each event arrived.');
    arrivals[row] = nanos;
    if (task.due) await task.pause(row, count);
  }
  return arrivals;
}

function inOrder(arrivals: BigInt64Array): Uint32Array {
  const rows = Uint32Array.from(arrivals.keys());
  const isSorted = arrivals.every(
    (arrival, row) => row === 0 || (arrivals[row - 1] as bigint) <= arrival,
  );
  if (isSorted) return rows;
  return rows.sort((one, other) => {
    const [first, last] = [arrivals[one] as bigint, arrivals[other] as bigint];
    return first < last ? -1 : first > last ? 1 : one - other;
  });
}

/** Returns a short hash of all values in a row. */
function contentOf(columns: readonly Column[], row: number): string {
  const cells = columns.map((column) =>
    column.isNull(row) ? null : [column.kind(row), column.text(row)],
  );
  return createHash('sha1').update(JSON.stringify(cells)).digest('base64');
}
