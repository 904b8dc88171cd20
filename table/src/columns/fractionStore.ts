/** A store for numeric columns in which not all values are 64-bit integers. */
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { ascending, roomFor, trimmed } from './growable.ts';
import type { IntegerStore } from './integerStore.ts';
import { NumberStore } from './numberStore.ts';
import { doubleRange, isInRange, keep, type RowFilter } from './rowFilter.ts';
import { doubleKeys, rankCells } from './sortKeys.ts';
import type { NumberRange, Store } from './store.ts';
import { type Form, forms, numberCell } from './values.ts';

const latin1 = new TextDecoder('latin1');

/** The minimum number and share of literals at which a column is stored as text instead of doubles. */
const literalsMin = 64;
const literalsShare = 1 / 32;

/** The smallest whole number that JavaScript writes with an exponent. */
const exponentFrom = 1e21;

export class FractionStore extends NumberStore {
  values = new Float64Array(0);
  /** The original text by row, for rows whose double JavaScript would write differently. */
  readonly literals = new Map<number, string>();
  /** Whether whole numbers are written as `1.0` instead of `1`; undefined until a whole number is added. */
  wholeWithPoint: boolean | undefined;

  /** Creates a store from the integers that preceded the first fraction. */
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

  override numbers(): (row: number) => number {
    return this.doubles(this.values);
  }

  override async sortKeys(task: LongTask): Promise<Uint32Array[]> {
    // Compare exact values, because doubles can't order integers beyond 2^53.
    for (const row of this.literals.keys())
      if (typeof this.cellOf(row) === 'bigint') {
        const cellOf = (at: number) => (this.isNull(at) ? null : this.cellOf(at));
        const ranks = new Uint32Array(this.length);
        return [await rankCells(ascending(this.length), cellOf, ranks, task)];
      }
    return await doubleKeys(this.values, task);
  }

  override numberFilter(range: NumberRange): RowFilter {
    const { from, to } = range;
    const isExact = typeof from !== 'bigint' && typeof to !== 'bigint' && this.literals.size === 0;
    if (isExact) return doubleRange(this.values, range);
    return keep((row) => isInRange(this.cellOf(row), range));
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
