/**
 * Assigns row numbers, which order events in cursors. A number consists of a counter and, in its low bits, a random
 * number of this process, so processes that write to the same table don't assign equal numbers. The counter follows the
 * clock in microseconds, so numbers of several processes increase together as far as their clocks agree.
 * Numbers of one process always increase, and are larger than all numbers that the table had when it was first used.
 */
import { randomInt } from 'node:crypto';
import { nowNanos } from '../../time.ts';

const PROCESS_BITS = 10n;
const NANOS_PER_COUNT = 1_000n;

/** The distance between the row numbers of consecutive events. */
export const ROW_STEP = 1n << PROCESS_BITS;

/** Consecutive row numbers, with the distance `ROW_STEP`. */
export interface RowNumberRange {
  readonly first: bigint;
  /** Call this when the rows are stored, or will never be. */
  readonly release: () => void;
}

interface TableNumbers {
  /** The next counter. */
  next: bigint;
  /** The first numbers of rows that are being stored. */
  readonly pending: Set<bigint>;
}

export class RowNumbers {
  readonly #process = BigInt(randomInt(Number(ROW_STEP)));
  readonly #tables = new Map<string, Promise<TableNumbers>>();
  readonly #readLast: (table: string) => Promise<bigint>;

  /** `readLast` returns the greatest row number of a table, or 0. */
  constructor(readLast: (table: string) => Promise<bigint>) {
    this.#readLast = readLast;
  }

  async reserve(table: string, count: number): Promise<RowNumberRange> {
    const numbers = await this.#numbersOf(table);
    const start = greater(numbers.next, clockCount());
    numbers.next = start + BigInt(count);
    const first = (start << PROCESS_BITS) | this.#process;
    numbers.pending.add(first);
    return { first, release: () => void numbers.pending.delete(first) };
  }

  /** Returns the row number before which this process stores no more rows, so readers can go on from there later. */
  async end(table: string): Promise<bigint> {
    const { next, pending } = await this.#numbersOf(table);
    let end = greater(next, clockCount()) << PROCESS_BITS;
    for (const first of pending) if (first < end) end = first;
    return end;
  }

  forget(table: string): void {
    this.#tables.delete(table);
  }

  #numbersOf(table: string): Promise<TableNumbers> {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    const read = this.#readLast(table).then((last) => ({
      next: (last >> PROCESS_BITS) + 1n,
      pending: new Set<bigint>(),
    }));
    this.#tables.set(table, read);
    // Read it again after a failure.
    read.catch(() => this.#tables.delete(table));
    return read;
  }
}

function clockCount(): bigint {
  return nowNanos() / NANOS_PER_COUNT;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
