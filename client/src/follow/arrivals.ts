/**
 * Determines which events to request next. Requests use the arrival (`_sysTime`), not `_time`, so that newer events
 * always follow older ones. Requests overlap, because events become visible some time after arrival; the table ignores
 * repeated rows. Some overlaps are long enough for events with the longest delay.
 */

import { nanosOf } from '../../../table/src/columns/timeValues.ts';
import type { Followed } from '../answers/protocol.ts';
import { timestamp } from '../time/timeRange.ts';

export type ArrivalQuestion =
  /** Requests the latest rows, optionally since a time, in order of arrival. */
  | { readonly kind: 'newest'; readonly rows: number; readonly from?: string }
  /** Requests the first rows since a time, in order of arrival. */
  | { readonly kind: 'since'; readonly rows: number; readonly from: string };

/** How far back requests reach, in milliseconds. */
export interface Overlap {
  /** The overlap of an ordinary request. */
  readonly usualMs: number;
  /** The maximum delay until an event becomes visible. */
  readonly lateMs: number;
  /** The interval at which a request reaches back by `lateMs` or more. */
  readonly everyMs: number;
}

export const PAGE_ROWS = 20_000;
/** The maximum number of rows per answer, used if more than `PAGE_ROWS` events arrived at the same instant. */
const PAGE_ROWS_MAX = 50_000;

/** How far back requests reach after an empty first answer, because the service's clock may differ. */
const CLOCKS_DIFFER_MS = 300_000;

const MILLISECOND = 1_000_000n;

export class Arrivals {
  readonly #overlap: Overlap;
  readonly #maxRows: number;
  readonly #first: number;
  #rows = PAGE_ROWS;
  #latest: bigint | undefined;
  /** The earliest arrival to request. Events that arrived before it precede the first visible row. */
  #floor: bigint | undefined;
  /**
   * The arrival time from which the next request continues if the answer to a `since` request reached the row limit.
   * Undefined after other answers.
   */
  #rest: bigint | undefined;
  /** The number of new rows in the latest consecutive full answers. */
  #backlog = 0;
  /** The time of the last finished long request, and the time of the current one. */
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeping: number | undefined;
  #asked: ArrivalQuestion | undefined;
  #skipped = false;

  /** `first` is the number of existing events to start with, and `maxRows` is the maximum number of rows kept. */
  constructor(first: number, maxRows: number, overlap: Overlap) {
    // Request at least one event, because its arrival shows which events are new.
    this.#first = Math.max(1, Math.min(first, maxRows, PAGE_ROWS));
    this.#maxRows = maxRows;
    this.#overlap = overlap;
  }

  /** Whether events were skipped because more events arrived than can be shown. */
  get skipped(): boolean {
    return this.#skipped;
  }

  /** Returns the next request. `now` is in milliseconds since 1970. */
  next(now: number): ArrivalQuestion {
    this.#asked = this.#question(now);
    return this.#asked;
  }

  #question(now: number): ArrivalQuestion {
    this.#sweeping = undefined;
    if (this.#latest === undefined && this.#floor === undefined) {
      this.#sweeping = now;
      return { kind: 'newest', rows: this.#first };
    }
    if (this.#rest !== undefined) {
      const from = text(this.#rest);
      if (this.#backlog < this.#maxRows) return { kind: 'since', rows: this.#rows, from };
      // Skip rows that the table would remove at once, because they exceed its limit.
      return { kind: 'newest', rows: Math.min(this.#maxRows, this.#rows), from };
    }
    const { usualMs, everyMs } = this.#overlap;
    const isLong = now - this.#sweptAt >= everyMs;
    if (isLong) this.#sweeping = now;
    const from = this.#from(isLong ? this.#longMs : usualMs);
    return { kind: 'since', rows: this.#rows, from: text(from) };
  }

  /** A long request's overlap, which also finds events that become visible just after the previous long request. */
  get #longMs(): number {
    return this.#overlap.lateMs + this.#overlap.everyMs;
  }

  /** Returns the arrival from which a request with this overlap starts. */
  #from(overlapMs: number): bigint {
    const floor = this.#floor ?? 0n;
    if (this.#latest === undefined) return floor;
    const from = this.#latest - BigInt(overlapMs) * MILLISECOND;
    return from > floor ? from : floor;
  }

  /** Rows that arrived before this time won't be requested again, so the table can forget them. */
  get forgetBefore(): string | undefined {
    if (this.#latest === undefined) return undefined;
    return text(this.#from(this.#longMs));
  }

  /** Processes the answer to the last request. Returns whether to send the next request at once. */
  took({ received, added, earliest, latest }: Followed, now: number): boolean {
    const asked = this.#asked;
    if (asked === undefined) return false;
    if (this.#sweeping !== undefined) this.#sweptAt = this.#sweeping;
    const last = latest === undefined ? undefined : nanosOf(latest);
    const isFull = received >= asked.rows;
    if (asked.kind === 'newest') {
      // Don't request that instant again, because its rows that were cut off would then count as new.
      if (isFull && earliest !== undefined) this.#floor = nanosOf(earliest) + 1n;
      if (asked.from !== undefined && isFull) this.#skipped = true;
      this.#floor ??= last === undefined ? BigInt(now - CLOCKS_DIFFER_MS) * MILLISECOND : 0n;
      this.#advance(last);
      this.#caughtUp();
      return false;
    }
    this.#advance(last);
    if (!isFull || last === undefined) {
      this.#caughtUp();
      return false;
    }
    this.#backlog += added;
    const from = nanosOf(asked.from);
    if (last > from) {
      this.#rest = last;
    } else if (this.#rows < PAGE_ROWS_MAX) {
      this.#rest = from;
      this.#rows = Math.min(PAGE_ROWS_MAX, this.#rows * 2);
    } else {
      this.#rest = last + 1n;
      this.#skipped = true;
    }
    return true;
  }

  #advance(latest: bigint | undefined): void {
    if (latest === undefined) return;
    if (this.#latest === undefined || latest > this.#latest) this.#latest = latest;
  }

  #caughtUp(): void {
    this.#rest = undefined;
    this.#backlog = 0;
    this.#rows = Math.min(this.#rows, PAGE_ROWS);
  }

  /** Requests fewer rows at a time, after an answer was too large. */
  shrink(): void {
    this.#rows = Math.max(1, Math.floor(this.#rows / 8));
  }
}

function text(nanoseconds: bigint): string {
  // The cast is safe, because every 64-bit number of nanoseconds can be formatted.
  return timestamp(nanoseconds) as string;
}
