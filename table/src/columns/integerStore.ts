/** A store for columns of integers. */
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import type { ValueKey } from '../viewState.ts';
import { roomFor, trimmed } from './growable.ts';
import { NumberStore } from './numberStore.ts';
import {
  doubleRange,
  integerRange,
  maxInt64,
  minInt64,
  type RowFilter,
  wordRange,
} from './rowFilter.ts';
import { doubleKeys, signBit, wordKeys } from './sortKeys.ts';
import type { Key, NumberRange, Store } from './store.ts';
import { type Form, forms } from './values.ts';
import { putNanos } from './wideIntegers.ts';

/** The upper and lower parts of 2^63, split at 10^9. */
const upperMax = 9_223_372_036;
const lowerOfMin = 854_775_808;

/** The array types wider than Int8, each with the maximum magnitude that it stores. */
const widths = [
  [Int16Array, 0x7fff],
  [Int32Array, 0x7fff_ffff],
  [Float64Array, Number.MAX_SAFE_INTEGER],
] as const;

/** Stores 64-bit integers in the narrowest array that fits all of them. */
export class IntegerStore extends NumberStore {
  /** The values, unless `big` stores them. After Int32 comes Float64, which is exact up to 2^53. */
  values: Int8Array | Int16Array | Int32Array | Float64Array = new Int8Array(0);
  /** Stores the values once one of them exceeds 2^53. */
  big: BigInt64Array | undefined;
  /** The memory of `big`, viewed as 32-bit words. */
  #words: Int32Array | undefined;
  #limit = 127;

  override addNumber(
    value: number,
    form: Form,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    if (form !== forms.integer) return form === forms.literal && this.#addBig(bytes, from, to);
    if (this.big !== undefined) {
      this.addGap();
      this.big[this.length] = BigInt(value);
    } else {
      if (value > this.#limit || value < -this.#limit) this.#widen(Math.abs(value));
      if (this.length >= this.values.length) this.addGap();
      this.values[this.length] = value;
    }
    this.length++;
    return true;
  }

  /** Adds a 64-bit integer beyond 2^53. Returns false for other numbers. */
  #addBig(bytes: Uint8Array, from: number, to: number): boolean {
    const isNegative = bytes[from] === 0x2d;
    const start = isNegative ? from + 1 : from;
    const digits = to - start;
    if (digits < 16 || digits > 19 || bytes[start] === 0x30) return false;
    let upper = 0;
    let lower = 0;
    for (let at = start; at < to; at++) {
      const digit = (bytes[at] as number) - 0x30;
      if (digit < 0 || digit > 9) return false;
      if (at < to - 9) upper = upper * 10 + digit;
      else lower = lower * 10 + digit;
    }
    const lowerMax = isNegative ? lowerOfMin : lowerOfMin - 1;
    if (upper > upperMax || (upper === upperMax && lower > lowerMax)) return false;
    if (this.big === undefined) {
      this.big = BigInt64Array.from(this.values.subarray(0, this.length), BigInt);
      this.values = new Int8Array(0);
    }
    this.addGap();
    if (this.#words?.buffer !== this.big.buffer) this.#words = new Int32Array(this.big.buffer);
    if (!isNegative) putNanos(this.#words, this.length, upper, lower);
    else if (lower === 0) putNanos(this.#words, this.length, -upper, 0);
    else putNanos(this.#words, this.length, -upper - 1, 1e9 - lower);
    this.length++;
    return true;
  }

  #widen(magnitude: number): void {
    const [Wider, limit] = widths.find(([, most]) => magnitude <= most) ?? widths[2];
    const wider = new Wider(this.values.length);
    wider.set(this.values.subarray(0, this.length));
    this.values = wider;
    this.#limit = limit;
  }

  protected override addGap(): void {
    if (this.big !== undefined) this.big = roomFor(this.big, this.length);
    else this.values = roomFor(this.values, this.length);
  }

  override textOf(row: number): string {
    return String(this.big === undefined ? this.values[row] : this.big[row]);
  }

  override cellOf(row: number): Cell {
    if (this.big === undefined) return this.values[row] as number;
    const value = this.big[row] as bigint;
    const double = Number(value);
    return Number.isSafeInteger(double) ? double : value;
  }

  override numbers(): (row: number) => number {
    const { big } = this;
    if (big === undefined) return this.doubles(this.values);
    return (row) => (this.isNull(row) ? Number.NaN : Number(big[row]));
  }

  override entryKeys(): (row: number) => Key {
    const { values } = this;
    return this.big === undefined ? (row) => values[row] as number : super.entryKeys();
  }

  override keyOf(value: NonNullable<ValueKey>): Key {
    const isDouble = this.big === undefined && value.kind === 'number';
    return isDouble ? Number(value.text) : super.keyOf(value);
  }

  override async sortKeys(task: LongTask): Promise<Uint32Array[]> {
    const { values, big, length } = this;
    if (big !== undefined) return wordKeys(new Int32Array(big.buffer), length);
    if (values instanceof Float64Array) return await doubleKeys(values, task);
    const keys = new Uint32Array(values.length);
    for (let row = 0; row < keys.length; row++) keys[row] = (values[row] as number) ^ signBit;
    return [keys];
  }

  override numberFilter({ from, to }: NumberRange): RowFilter {
    const { big, values } = this;
    if (values instanceof Float64Array) return doubleRange(values, { from, to });
    if (big === undefined) return integerRange(values, { from, to });
    const words = new Int32Array(big.buffer, big.byteOffset);
    return wordRange(words, whole(from ?? minInt64, Math.ceil), whole(to ?? maxInt64, Math.floor));
  }

  override trim(): void {
    super.trim();
    if (this.big !== undefined) this.big = trimmed(this.big, this.length);
    else this.values = trimmed(this.values, this.length);
  }

  protected override tailValues(from: number): Store {
    const copy = new IntegerStore();
    copy.values = this.values.slice(from, this.length);
    copy.big = this.big?.slice(from, this.length);
    copy.#limit = this.#limit;
    return copy;
  }

  protected override valueBytes(): number {
    return (this.big ?? this.values).byteLength;
  }
}

/** Converts a bound to an integer. An infinite bound becomes the first integer beyond 64 bits. */
function whole(bound: number | bigint, round: (value: number) => number): bigint {
  if (typeof bound === 'bigint') return bound;
  if (Number.isFinite(bound)) return BigInt(round(bound));
  return bound < 0 ? minInt64 - 1n : maxInt64 + 1n;
}
