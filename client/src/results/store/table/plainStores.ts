/** Stores for columns of nulls, of booleans, of integers and of fractions. */
import type { Cell } from '../../result.ts';
import { Bits, roomFor, trimmed } from './growable.ts';
import { type Form, forms, type Kind, kinds, numberCell, Store } from './store.ts';
import { putNanos } from './wideIntegers.ts';

/** A column that has had nothing but nulls so far. */
export class NullStore extends Store {
  override addNull(): void {
    this.length++;
  }
  override isNull(): boolean {
    return true;
  }
  protected override addGap(): void {}
  override kind(): Kind {
    return kinds.text;
  }
  override textOf(): string {
    return '';
  }
  override cellOf(): Cell {
    return null;
  }
  protected override tailValues(): Store {
    return new NullStore();
  }
  protected override valueBytes(): number {
    return 0;
  }
}

export class BooleanStore extends Store {
  values = new Bits();

  protected override addGap(): void {}
  override addBoolean(value: boolean): boolean {
    if (value) this.values.set(this.length);
    this.length++;
    return true;
  }
  override kind(): Kind {
    return kinds.boolean;
  }
  override textOf(row: number): string {
    return String(this.values.has(row));
  }
  override cellOf(row: number): Cell {
    return this.values.has(row);
  }
  override trim(): void {
    super.trim();
    this.values.trim(this.length);
  }
  protected override tailValues(from: number): Store {
    const copy = new BooleanStore();
    copy.values = this.values.tail(from, this.length);
    return copy;
  }
  protected override valueBytes(): number {
    return this.values.bytes.length;
  }
}

const latin1 = new TextDecoder('latin1');

/** 2^63 in two parts: thousand millions, and the rest. */
const upperMax = 9_223_372_036;
const lowerOfMin = 854_775_808;

/** Integers of 64 bits, in the narrowest array that holds all of them. */
export class IntegerStore extends Store {
  /** The values, unless `big` has them. Int32 is followed by Float64, which is exact up to 2^53. */
  values: Int8Array | Int16Array | Int32Array | Float64Array = new Int8Array(0);
  /** The values once one is beyond 2^53. */
  big: BigInt64Array | undefined;
  /** The memory of `big`. */
  #words: Int32Array | undefined;
  #limit = 127;

  protected override addGap(): void {
    this.#room();
  }

  override addNumber(
    value: number,
    form: Form,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    if (form !== forms.integer) return form === forms.literal && this.#addBig(bytes, from, to);
    if (this.big !== undefined) {
      this.#room();
      this.big[this.length] = BigInt(value);
    } else {
      if (value > this.#limit || value < -this.#limit) this.#widen(Math.abs(value));
      if (this.length >= this.values.length) this.#room();
      this.values[this.length] = value;
    }
    this.length++;
    return true;
  }

  /** Adds an integer of 64 bits that is beyond 2^53; false if it is none. */
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
    this.#room();
    if (this.#words?.buffer !== this.big.buffer) this.#words = new Int32Array(this.big.buffer);
    if (!isNegative) putNanos(this.#words, this.length, upper, lower);
    else if (lower === 0) putNanos(this.#words, this.length, -upper, 0);
    else putNanos(this.#words, this.length, -upper - 1, 1e9 - lower);
    this.length++;
    return true;
  }

  #widen(magnitude: number): void {
    const rows = this.values.subarray(0, this.length);
    const capacity = this.values.length;
    if (magnitude <= 0x7fff) this.#move(new Int16Array(capacity), rows, 0x7fff);
    else if (magnitude <= 0x7fff_ffff) this.#move(new Int32Array(capacity), rows, 0x7fff_ffff);
    else this.#move(new Float64Array(capacity), rows, Number.MAX_SAFE_INTEGER);
  }

  #move(
    wider: Int16Array | Int32Array | Float64Array,
    rows: Int8Array | Int16Array | Int32Array | Float64Array,
    limit: number,
  ): void {
    wider.set(rows);
    this.values = wider;
    this.#limit = limit;
  }

  #room(): void {
    if (this.big !== undefined) this.big = roomFor(this.big, this.length);
    else this.values = roomFor(this.values, this.length);
  }

  override kind(): Kind {
    return kinds.number;
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

/** Literals that a column of doubles keeps apart, before it is better stored as text. */
const literalsMin = 64;
const literalsShare = 1 / 32;

/** Whole numbers from here on have an exponent in JavaScript. */
const exponentFrom = 1e21;

/** Doubles. Text that the double alone does not lead back to is kept by row. */
export class FractionStore extends Store {
  values = new Float64Array(0);
  /** Text of the rows that the double alone would show differently. */
  readonly literals = new Map<number, string>();
  /** How whole numbers are written, `1` or `1.0`; undefined before the first. */
  wholeWithPoint: boolean | undefined;

  /** Takes over integers that arrived before the first fraction. */
  static from(integers: IntegerStore): FractionStore {
    const store = new FractionStore();
    store.values = Float64Array.from(integers.values);
    store.length = integers.length;
    store.nulls = integers.nulls;
    for (let row = 0; row < store.length && store.wholeWithPoint === undefined; row++)
      if (!store.isNull(row)) store.wholeWithPoint = false;
    return store;
  }

  protected override addGap(): void {
    this.values = roomFor(this.values, this.length);
  }

  override addNumber(
    value: number,
    form: Form,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    if (form !== forms.fraction && !this.#isWholeAsOthers(form)) {
      const most = Math.max(literalsMin, this.length * literalsShare);
      if (this.literals.size >= most) return false;
      this.literals.set(this.length, latin1.decode(bytes.subarray(from, to)));
    }
    if (this.length >= this.values.length) this.values = roomFor(this.values, this.length);
    const literal = form === forms.literal ? this.literals.get(this.length) : undefined;
    this.values[this.length++] = literal === undefined ? value : Number(literal);
    return true;
  }

  #isWholeAsOthers(form: Form): boolean {
    if (form === forms.literal) return false;
    const withPoint = form === forms.wholeWithPoint;
    this.wholeWithPoint ??= withPoint;
    return this.wholeWithPoint === withPoint;
  }

  override kind(): Kind {
    return kinds.number;
  }

  override textOf(row: number): string {
    const literal = this.literals.size === 0 ? undefined : this.literals.get(row);
    if (literal !== undefined) return literal;
    const value = this.values[row] as number;
    if (this.wholeWithPoint !== true || !Number.isInteger(value)) return String(value);
    if (Math.abs(value) >= exponentFrom) return String(value);
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }

  override cellOf(row: number): Cell {
    const literal = this.literals.size === 0 ? undefined : this.literals.get(row);
    return literal === undefined ? (this.values[row] as number) : numberCell(literal);
  }

  override trim(): void {
    super.trim();
    this.values = trimmed(this.values, this.length);
  }

  protected override tailValues(from: number): Store {
    const copy = new FractionStore();
    copy.values = this.values.slice(from, this.length);
    copy.wholeWithPoint = this.wholeWithPoint;
    for (const [row, text] of this.literals) if (row >= from) copy.literals.set(row - from, text);
    return copy;
  }

  protected override valueBytes(): number {
    return this.values.byteLength + this.literals.size * 80;
  }
}
