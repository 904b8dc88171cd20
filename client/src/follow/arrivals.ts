/**
 * Which events to ask for next, so that each is shown once. Events are asked for by the time of their arrival,
 * which only the service knows: whatever `_time` they have, later ones have a later one. Questions overlap,
 * as an event becomes visible some time after it has arrived, and the table leaves out what it has. Most
 * overlap a little; from time to time one overlaps by as much as an event may be late.
 */

import { nanosOf } from '../../../table/src/columns/timeValues.ts';
import type { Followed } from '../answers/protocol.ts';
import { timestamp } from '../time/timeRange.ts';

export type ArrivalQuestion =
  /** The rows that arrived last, of all or of those since a time; in the order of arrival. */
  | { readonly kind: 'newest'; readonly rows: number; readonly from?: string }
  /** The first rows that arrived at a time or later, in the order of arrival. */
  | { readonly kind: 'since'; readonly rows: number; readonly from: string };

/** How far questions reach back, in milliseconds. */
export interface Overlap {
  /** The overlap of ordinary requests. */
  readonly usualMs: number;
  /** How long after its arrival an event may become visible. */
  readonly lateMs: number;
  /** How often a question reaches back far enough for that. */
  readonly everyMs: number;
}

export const PAGE_ROWS = 20_000;
/** The most rows of one answer, asked for where more events than `PAGE_ROWS` arrived in one instant. */
const PAGE_ROWS_MAX = 50_000;

/** What arrived this long before the start was there when the first answer, which had no rows, was made. */
const CLOCKS_DIFFER_MS = 300_000;

const MILLISECOND = 1_000_000n;

export class Arrivals {
  readonly #overlap: Overlap;
  readonly #maxRows: number;
  readonly #first: number;
  #rows = PAGE_ROWS;
  #latest: bigint | undefined;
  /** The earliest arrival to request: older events precede the first row shown. */
  #floor: bigint | undefined;
  /** The arrival at which the next request continues after a full answer. */
  #rest: bigint | undefined;
  /** New rows in full answers, one after the other. */
  #backlog = 0;
  /** When the last question was asked that reached far back, and whether the one under way does. */
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeping: number | undefined;
  #asked: ArrivalQuestion | undefined;
  #skipped = false;

  /** `first` is the number of earlier events to begin with, `maxRows` of events that are kept. */
  constructor(first: number, maxRows: number, overlap: Overlap) {
    // Without a single one it would not be known from when on events are new.
    this.#first = Math.max(1, Math.min(first, maxRows, PAGE_ROWS));
    this.#maxRows = maxRows;
    this.#overlap = overlap;
  }

  /** Whether events were passed over, because more arrived than could be shown. */
  get skipped(): boolean {
    return this.#skipped;
  }

  /** The next question; `now` in milliseconds since 1970. */
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
      // What is left out would have been removed from the table at once.
      return { kind: 'newest', rows: Math.min(this.#maxRows, this.#rows), from };
    }
    const { usualMs, everyMs } = this.#overlap;
    const isLong = now - this.#sweptAt >= everyMs;
    if (isLong) this.#sweeping = now;
    const from = this.#from(isLong ? this.#longMs : usualMs);
    return { kind: 'since', rows: this.#rows, from: text(from) };
  }

  /** An event that becomes visible just after such a question is found by the next one. */
  get #longMs(): number {
    return this.#overlap.lateMs + this.#overlap.everyMs;
  }

  /** Returns the start of a request with this overlap. */
  #from(overlapMs: number): bigint {
    const floor = this.#floor ?? 0n;
    if (this.#latest === undefined) return floor;
    const from = this.#latest - BigInt(overlapMs) * MILLISECOND;
    return from > floor ? from : floor;
  }

  /** Events that arrived earlier will not be asked for. */
  get forgetBefore(): string | undefined {
    if (this.#latest === undefined) return undefined;
    return text(this.#from(this.#longMs));
  }

  /** Takes note of an answer to the last question; true where there is more to ask at once. */
  took({ received, added, earliest, latest }: Followed, now: number): boolean {
    const asked = this.#asked;
    if (asked === undefined) return false;
    if (this.#sweeping !== undefined) this.#sweptAt = this.#sweeping;
    const last = latest === undefined ? undefined : nanosOf(latest);
    const isFull = received >= asked.rows;
    if (asked.kind === 'newest') {
      // What arrived with the first row may have been cut off.
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

  /** Asks for fewer rows at a time, after an answer was too large. */
  shrink(): void {
    this.#rows = Math.max(1, Math.floor(this.#rows / 8));
  }
}

function text(nanoseconds: bigint): string {
  // Times that fit into 64 bits have a text.
  return timestamp(nanoseconds) as string;
}
