/**
 * How the values of a column are stored. A store accepts values one by one as JSON has them and refuses one
 * that it cannot give back exactly; the column then moves its values to a store that can.
 */
import type { Cell } from '../../result.ts';
import { Bits } from './growable.ts';

/** What a value is in JSON. The numbers are those in memory. */
export const kinds = { number: 0, text: 1, boolean: 2, json: 3 } as const;
export type Kind = (typeof kinds)[keyof typeof kinds];
export const kindNames = ['number', 'text', 'boolean', 'json'] as const;

export const forms = {
  /** An integer within 2^53 whose digits are those of the double; not -0. */
  integer: 0,
  /** A number that is not whole, written as JavaScript writes the double. */
  fraction: 1,
  /** A whole number below 10^21 that ends in `.0` and is otherwise as JavaScript writes it, or `-0.0`. */
  wholeWithPoint: 2,
  /** Any other: integers beyond 2^53, and text that the double does not lead back to. Its value may be inexact. */
  literal: 3,
} as const;
export type Form = (typeof forms)[keyof typeof forms];

export abstract class Store {
  length = 0;
  /** The rows that are null; absent without any. */
  nulls: Bits | undefined;

  addNull(): void {
    this.nulls ??= new Bits();
    this.nulls.set(this.length);
    this.addGap();
    this.length++;
  }

  isNull(row: number): boolean {
    return this.nulls?.has(row) === true;
  }

  /** Makes room for the row at `length`, whose value does not count. */
  protected abstract addGap(): void;

  /** Adds `true` or `false`; false if the value does not fit. */
  addBoolean(_value: boolean): boolean {
    return false;
  }

  /** Adds a number; the bytes are its text. False if it does not fit. */
  addNumber(_value: number, _form: Form, _bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Adds text, given as UTF-8 in which lone surrogates have three bytes. False if it does not fit. */
  addText(_bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Adds an array or object as JSON without spaces. False if it does not fit. */
  addJson(_bytes: Uint8Array, _from: number, _to: number): boolean {
    return false;
  }

  /** Returns the JSON kind of a non-null value. */
  abstract kind(row: number): Kind;

  /** The exact text of a row that is not null. */
  abstract textOf(row: number): string;

  /** The value of a row that is not null. */
  abstract cellOf(row: number): Cell;

  /** A copy with the rows from `from` on, which takes no memory for the others. */
  tail(from: number): Store {
    const copy = this.tailValues(from);
    copy.length = this.length - from;
    if (this.nulls !== undefined) copy.nulls = this.nulls.tail(from, this.length);
    return copy;
  }

  /** The values of the rows from `from` on, in a store whose length and nulls are set by `tail`. */
  protected abstract tailValues(from: number): Store;

  trim(): void {
    this.nulls?.trim(this.length);
  }

  /** Bytes of memory, without the nulls. */
  protected abstract valueBytes(): number;

  get bytes(): number {
    return this.valueBytes() + (this.nulls?.bytes.length ?? 0);
  }
}

/** The value of a number's text: bigint for integers beyond 2^53, otherwise the nearest double. */
export function numberCell(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
  return BigInt(text);
}
