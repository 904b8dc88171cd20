/**
 * Stores times as 64-bit nanoseconds since 1970, if these restore the exact text: RFC 3339 in UTC with at most nine
 * fractional digits. Either no fraction ends in 0, or all rows have the same number of fractional digits.
 */
import { daysInMonth, daysOf } from '../../../formats/src/rfc3339.ts';
import type { Cell } from '../result.ts';
import { resized, trimmed } from './growable.ts';
import { maxInt64, minInt64, type RowFilter, wordRange } from './rowFilter.ts';
import { wordKeys } from './sortKeys.ts';
import { Store, type TimeRange } from './store.ts';
import { formatTime, type Times } from './timeValues.ts';
import { type Kind, kinds } from './values.ts';
import { putNanos, split, splitNanos } from './wideIntegers.ts';

/** The first and last years whose times fit into 64-bit nanoseconds. */
const yearMin = 1678;
const yearMax = 2261;

export class TimeStore extends Store {
  override readonly holdsTimes = true;
  override readonly possibleText = /^[-:.\dTtZz ]*$/;
  /** Two words per row, low word first, as in a BigInt64Array. */
  words = new Int32Array(0);
  /** Whether no fractional part so far ends in 0. */
  #trimmedFractions = true;
  /** The number of fractional digits if it is the same in all rows so far; -1 if they differ. */
  #sameDigits: number | undefined;
  /** The maximum number of fractional-second digits. */
  digitsMax = 0;
  #dayKey = -1;
  #daySeconds = 0;

  /** Whether this store can represent the text as a time. */
  static accepts(bytes: Uint8Array, from: number, to: number): boolean {
    return new TimeStore().addText(bytes, from, to);
  }

  protected override addGap(): void {
    const needed = (this.length + 1) * 2;
    if (needed > this.words.length)
      this.words = resized(this.words, Math.max(32, needed, this.words.length * 2));
  }

  override addText(bytes: Uint8Array, from: number, to: number): boolean {
    const digits = fractionDigits(bytes, from, to);
    if (digits < 0) return false;
    const daySeconds = this.#day(bytes, from);
    const hour = twoDigits(bytes, from + 11);
    const minute = twoDigits(bytes, from + 14);
    const second = twoDigits(bytes, from + 17);
    if (Number.isNaN(daySeconds) || hour > 23 || minute > 59 || second > 59) return false;
    let nanos = 0;
    for (let at = from + 20; at < from + 20 + digits; at++)
      nanos = nanos * 10 + (bytes[at] as number) - 0x30;
    const isTrimmed = digits === 0 || (bytes[from + 19 + digits] as number) !== 0x30;
    const isSame = this.#sameDigits === undefined || this.#sameDigits === digits;
    if (!(this.#trimmedFractions && isTrimmed) && !isSame) return false;
    this.#trimmedFractions &&= isTrimmed;
    this.#sameDigits = isSame ? digits : -1;
    if (digits > this.digitsMax) this.digitsMax = digits;
    if (this.length * 2 >= this.words.length) this.addGap();
    const seconds = daySeconds + hour * 3600 + minute * 60 + second;
    putNanos(this.words, this.length, seconds, nanos * (powersOfTen[9 - digits] as number));
    this.length++;
    return true;
  }

  /** Parses the date at the start of the text to seconds since 1970; NaN if it is invalid. */
  #day(bytes: Uint8Array, from: number): number {
    const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
    const key = (year * 100 + twoDigits(bytes, from + 5)) * 100 + twoDigits(bytes, from + 8);
    if (key !== this.#dayKey) {
      this.#dayKey = key;
      this.#daySeconds = daySeconds(year, twoDigits(bytes, from + 5), twoDigits(bytes, from + 8));
    }
    return this.#daySeconds;
  }

  override kind(): Kind {
    return kinds.text;
  }

  override textOf(row: number): string {
    splitNanos(this.words, row);
    return formatTime(split.seconds, split.nanos, this.#sameDigits ?? -1, 'T', 'Z');
  }

  override cellOf(row: number): Cell {
    return this.textOf(row);
  }

  #nanos(row: number): bigint {
    const high = BigInt(this.words[row * 2 + 1] as number);
    return (high << 32n) | BigInt((this.words[row * 2] as number) >>> 0);
  }

  override magnitudes(): (row: number) => number {
    const { words } = this;
    return (row) => (words[row * 2 + 1] as number) * 2 ** 32 + ((words[row * 2] as number) >>> 0);
  }

  override comparables(): (row: number) => Cell {
    return (row) => this.#nanos(row);
  }

  override times(): Times {
    const { words, nulls } = this;
    return {
      milliseconds(row) {
        if (nulls?.has(row)) return Number.NaN;
        splitNanos(words, row);
        return split.seconds * 1000 + split.nanos / 1e6;
      },
      nanos: (row) => (this.isNull(row) ? undefined : this.#nanos(row)),
      text: (row) => this.textOf(row),
    };
  }

  override async sortKeys(): Promise<Uint32Array[]> {
    return wordKeys(this.words, this.length);
  }

  override timeFilter({ from = minInt64, to = maxInt64 + 1n }: TimeRange): RowFilter {
    return wordRange(this.words, from, to - 1n);
  }

  override trim(): void {
    super.trim();
    this.words = trimmed(this.words, this.length * 2);
  }

  protected override tailValues(from: number): Store {
    const copy = new TimeStore();
    copy.words = this.words.slice(from * 2, this.length * 2);
    copy.#trimmedFractions = this.#trimmedFractions;
    copy.#sameDigits = this.#sameDigits;
    copy.digitsMax = this.digitsMax;
    return copy;
  }

  protected override valueBytes(): number {
    return this.words.byteLength;
  }
}

const powersOfTen = Array.from({ length: 10 }, (_, power) => 10 ** power);

/** Counts the fractional-second digits of a time in UTC; -1 for text of another form. */
function fractionDigits(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length < 20 || length > 30 || length === 21 || bytes[to - 1] !== 0x5a) return -1;
  for (let at = 0; at < 19; at++) {
    const byte = bytes[from + at] as number;
    const wanted = form[at] as number;
    if (wanted === 0 ? byte < 0x30 || byte > 0x39 : byte !== wanted) return -1;
  }
  if (length === 20) return 0;
  if (bytes[from + 19] !== 0x2e) return -1;
  for (let at = from + 20; at < to - 1; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return -1;
  }
  return length - 21;
}

/** The expected character at each offset, or 0 for a digit. */
const form = Uint8Array.from('0000-00-00T00:00:00', (character) =>
  character === '0' ? 0 : character.charCodeAt(0),
);

function twoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) - 0x30) * 10 + (bytes[at + 1] as number) - 0x30;
}

function daySeconds(year: number, month: number, day: number): number {
  if (year < yearMin || year > yearMax || month < 1 || month > 12 || day < 1) return Number.NaN;
  return day > daysInMonth(year, month) ? Number.NaN : daysOf(year, month, day) * 86_400;
}
