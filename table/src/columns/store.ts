/**
 * The base class of all stores for a column's values. A store accepts JSON values one by one and refuses a value that
 * it can't represent exactly. The column then moves its values to a store that can.
 */
import { Buffer } from 'node:buffer';
import { matcherOf, matchingTexts, type TextCondition } from '../arrange/matcher.ts';
import { numberEnds, scanNumber, scanned } from '../decode/scanNumber.ts';
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import type { ValueKey } from '../viewState.ts';
import type { Column } from './column.ts';
import { Bits } from './growable.ts';
import { noRows, type RowFilter } from './rowFilter.ts';
import { type Times, timesOfTexts } from './timeValues.ts';
import { type Form, type Kind, kinds, numberCell } from './values.ts';

/** The bounds of a range of numbers, both inclusive. */
export interface NumberRange {
  readonly from: number | bigint | undefined;
  readonly to: number | bigint | undefined;
}

/** The bounds of a range of times in nanoseconds since 1970. The end is exclusive. */
export interface TimeRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** A key that is the same only for equal values of a store. Numbers are compared by value. */
export type Key = string | number;

export abstract class Store {
  length = 0;
  /** The null rows; absent if there are none. Only call `has`, because a column of nulls has no bits. */
  nulls: Bits | undefined;
  /** Entry numbers by row, if repeated values are stored once; otherwise each row is its own entry. */
  codes: Uint8Array | Uint16Array | Uint32Array | undefined;
  readonly holdsTimes: boolean = false;
  /** Matches every substring of a value's text; absent if any text is possible. */
  readonly possibleText: RegExp | undefined;

  addNull(): void {
    this.nulls ??= new Bits();
    this.nulls.set(this.length);
    this.addGap();
    this.length++;
  }

  isNull(row: number): boolean {
    return this.nulls?.has(row) === true;
  }

  /** Reserves space for a placeholder value at the next row, whose number is `length`. */
  protected addGap(): void {}

  /** Adds a boolean. Returns false if it doesn't fit. */
  addBoolean(_value: boolean): boolean {
    return false;
  }

  /** Adds a number, whose text is in `bytes`. Returns false if it doesn't fit. */
  addNumber(_value: number, _form: Form, _bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Adds a string as UTF-8, with lone surrogates as three bytes. Returns false if it doesn't fit. */
  addText(_bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Called after text with a lone surrogate was added. */
  noteLoneSurrogate(): void {}

  /** Adds an array or object as JSON without spaces. Returns false if it doesn't fit. */
  addJson(_bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Returns the JSON kind of a non-null value. */
  abstract kind(row: number): Kind;

  /** Returns the exact text of a non-null value. */
  abstract textOf(row: number): string;

  abstract cellOf(row: number): Cell;

  // Several of the following methods return functions that process single rows, so that a loop over all rows makes no
  // decisions.

  get entryCount(): number {
    return this.length;
  }

  entryOf(row: number): number {
    return this.codes === undefined ? row : (this.codes[row] as number);
  }

  /** Returns a function that reads a row's number as a double: `NaN` for null and for other values. */
  numbers(): (row: number) => number {
    return () => Number.NaN;
  }

  /** Returns a function that reads a number or time as a double, such as for a histogram; `NaN` for other values. */
  magnitudes(): (row: number) => number {
    return this.numbers();
  }

  times(): Times {
    return timesOfTexts(this);
  }

  /** Returns a function that reads cells in the sort order of `cellOf`, but maybe faster. Rows must not be null. */
  comparables(): (row: number) => Cell {
    return (row) => this.cellOf(row);
  }

  /** Returns a function that reads an entry's key. The entry must not be null. */
  entryKeys(): (entry: number) => Key {
    return (entry) => keyOf(this.kind(entry), this.textOf(entry));
  }

  /** Returns the key of a value that may not be in the store. */
  keyOf({ kind, text }: NonNullable<ValueKey>): Key {
    return keyOf(kinds[kind], text);
  }

  /** Whether `keys` are small integers. */
  get hasSmallKeys(): boolean {
    return false;
  }

  /** Returns a function that reads a row's key. The row's value must not be null. */
  keys(): (row: number) => Key {
    const { codes } = this;
    const keys = this.entryKeys();
    return codes === undefined ? keys : (row) => keys(codes[row] as number);
  }

  /**
   * Returns sort keys by row that order rows as `compareCells` orders their values: numbers by value, then strings,
   * then booleans and dynamic values by their text. The least significant come first. Null rows have arbitrary keys.
   */
  async sortKeys(_task: LongTask): Promise<Uint32Array[]> {
    return [];
  }

  /** Returns a filter for numbers. The filter may accept nulls. */
  numberFilter(_range: NumberRange, _task: LongTask): RowFilter | Promise<RowFilter> {
    return noRows;
  }

  /** Returns a filter for times. The filter may accept nulls. */
  timeFilter(_range: TimeRange, _task: LongTask): RowFilter | Promise<RowFilter> {
    return noRows;
  }

  /**
   * Returns a filter for rows whose exact text meets the condition. Call the filter only with rows that aren't null.
   * Throws `Invalid` if the regular expression is invalid.
   */
  textFilter(
    condition: TextCondition,
    negated: boolean,
    _task: LongTask,
  ): RowFilter | Promise<RowFilter> {
    const matcher = matcherOf(condition);
    const rejected = negated ? 1 : 0;
    return (block, count) => {
      const texts = Array.from({ length: count }, (_, at) => this.textOf(block[at] as number));
      const matches = new Uint8Array(count);
      matcher(texts, matches);
      let kept = 0;
      for (let at = 0; at < count; at++)
        if (matches[at] !== rejected) block[kept++] = block[at] as number;
      return kept;
    };
  }

  /** Returns one byte per entry: 1 if its exact text matches. Null entries may match. Throws `Invalid`. */
  async matches(condition: TextCondition, task: LongTask): Promise<Uint8Array> {
    const text = (row: number) => (this.isNull(row) ? '' : this.textOf(row));
    return await matchingTexts(this.entryCount, text, condition, task);
  }

  /** Appends a row's exact value to another store or column. */
  copyTo(target: Column | Store, row: number): void {
    if (this.isNull(row)) return target.addNull();
    const text = this.textOf(row);
    const kind = this.kind(row);
    if (kind === kinds.boolean) target.addBoolean(text === 'true');
    else if (kind === kinds.number) addNumber(target, text);
    else addString(target, text);
  }

  /** Returns a copy of the rows from `from` on. The copy needs no memory for earlier rows. */
  tail(from: number): Store {
    const copy = this.tailValues(from);
    copy.length = this.length - from;
    if (this.nulls !== undefined) copy.nulls = this.nulls.tail(from, this.length);
    return copy;
  }

  /** Copies the values from row `from` on. `tail` sets the copy's length and nulls. */
  protected abstract tailValues(from: number): Store;

  trim(): void {
    this.nulls?.trim(this.length);
  }

  /** Returns the memory of the values in bytes, excluding the nulls. */
  protected abstract valueBytes(): number;

  get bytes(): number {
    return this.valueBytes() + (this.nulls?.bytes.length ?? 0);
  }
}

export function keyOf(kind: Kind, text: string): string {
  return kind === kinds.number ? `${kind}${numberCell(text)}` : `${kind}${text}`;
}

function addNumber(target: Column | Store, text: string): void {
  // The trailing space marks the end of the number for the scanner.
  const bytes = Buffer.from(`${text} `, 'latin1');
  const end = scanNumber(bytes, 0, bytes.length);
  if (end === numberEnds.invalid || end !== text.length) throw new Error(`${text} is not a number`);
  target.addNumber(scanned.value, scanned.form, bytes, 0, end);
}

export function addString(target: Column | Store, text: string): void {
  const bytes = Buffer.from(text);
  target.addText(bytes, 0, bytes.length);
}

export function addJson(target: Column, text: string): void {
  const bytes = Buffer.from(text);
  target.addJson(bytes, 0, bytes.length);
}
