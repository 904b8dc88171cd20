/**
 * Values of APL as the evaluator of the property tests has them, and what they are as texts, JSON and sort
 * keys. Written after the language's documents, and sharing nothing with the planner.
 */

export type Type =
  | 'bool'
  | 'long'
  | 'real'
  | 'string'
  | 'datetime'
  | 'timespan'
  | 'dynamic'
  /** A stored field that holds whole numbers and texts. */
  | 'mixed';

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A long, datetime or timespan is a bigint (nanoseconds for the last two), a real a number. */
export type Cell = Json;

/** The documents leave open what the answer is, so the case is none. */
export class Ambiguous extends Error {}

/** The stage does not fit the table, as when another stage before it was taken away. */
export class Unfit extends Error {}

/** Items of a list whose order nothing fixes. */
export class Unordered extends Array<Json> {
  /** Plain arrays come of `map` and its kin. */
  static override get [Symbol.species]() {
    return Array;
  }
}

export function isList(of: Json): of is readonly Json[] {
  return Array.isArray(of);
}

export function isBag(of: Json): of is { readonly [key: string]: Json } {
  return typeof of === 'object' && of !== null && !Array.isArray(of);
}

/** Numbers by size, texts by their bytes, false before true. Whole numbers beside reals count as reals. */
export function compare(left: NonNullable<Cell>, right: NonNullable<Cell>): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  const exact = typeof left === 'bigint' && typeof right === 'bigint';
  const [a, b] = exact ? [left, right] : [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const longMin = -(2n ** 63n);
const longMax = 2n ** 63n - 1n;

/** Times and timespans, which count nanoseconds, are null past 64 bits. */
export function inRange(of: bigint): bigint | null {
  return of < longMin || of > longMax ? null : of;
}

/** Whole numbers past 64 bits begin again at the other end. */
export function wrapped(of: bigint): bigint {
  return BigInt.asIntN(64, of);
}

export function realText(of: number): string {
  return String(of);
}

/** RFC 3339 with as many digits of the second as there are. */
export function datetimeText(of: bigint): string {
  const billion = 1_000_000_000n;
  const fraction = ((of % billion) + billion) % billion;
  const seconds = new Date(Number((of - fraction) / 1_000_000n)).toISOString().slice(0, 19);
  const digits = fraction.toString().padStart(9, '0').replace(/0+$/, '');
  return `${seconds}${digits === '' ? '' : `.${digits}`}Z`;
}

/** A duration as Go writes it. */
export function timespanText(of: bigint): string {
  if (of < 0n) return `-${timespanText(-of)}`;
  if (of === 0n) return '0s';
  const units = [
    [1_000n, 1n, 0, 'ns'],
    [1_000_000n, 1_000n, 3, 'µs'],
    [1_000_000_000n, 1_000_000n, 6, 'ms'],
  ] as const;
  for (const [below, unit, digits, name] of units) {
    if (of < below) return `${fraction(of, unit, digits)}${name}`;
  }
  const [minute, hour] = [60_000_000_000n, 3_600_000_000_000n];
  const hours = of >= hour ? `${of / hour}h` : '';
  const minutes = of >= minute ? `${(of / minute) % 60n}m` : '';
  return `${hours}${minutes}${fraction(of % minute, 1_000_000_000n, 9)}s`;
}

function fraction(of: bigint, unit: bigint, digits: number): string {
  const rest = (of % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return `${of / unit}${rest === '' || digits === 0 ? '' : `.${rest}`}`;
}

/** A value as it stands in a dynamic one. */
export function asDynamic(of: Cell, type: Type): Json {
  if (of === null) return null;
  if (type === 'datetime') return datetimeText(of as bigint);
  if (type === 'timespan') return timespanText(of as bigint);
  return of;
}

/** What `tostring` gives: null is an empty text, and of a bool it is false. */
export function textOf(of: Cell, type: Type): string {
  if (of === null) return type === 'bool' ? 'false' : '';
  if (type === 'datetime') return datetimeText(of as bigint);
  if (type === 'timespan') return timespanText(of as bigint);
  if (typeof of === 'number') return realText(of);
  return String(of);
}

/** One text for equal values; a whole number is the same as long and as real. */
export function canonical(of: Cell): string {
  if (of instanceof Unordered) throw new Ambiguous('a list of no order is compared');
  return written(of, (items) => items.join());
}

/** As `canonical`, for a value whose lists may have any order where `expected` has none. */
export function loosely(of: Cell, expected: Cell): string {
  const sorted = expected instanceof Unordered;
  return written(of, (items) => (sorted ? items.toSorted() : items).join());
}

function written(of: Cell, joined: (items: string[]) => string): string {
  if (isList(of)) return `[${joined(of.map((item) => canonical(item)))}]`;
  if (isBag(of)) {
    const keys = Object.keys(of).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(of[key] as Json)}`).join()}}`;
  }
  if (typeof of === 'bigint') return of.toString();
  if (typeof of === 'number') {
    return Number.isInteger(of) ? BigInt(of).toString() : String(of);
  }
  return JSON.stringify(of);
}

/** JSON in which whole numbers keep all their digits. */
export function parsedJson(text: string): Json {
  return JSON.parse(text, (_, item, { source }: { source?: string } = {}) =>
    typeof item === 'number' && /^-?\d+$/.test(source ?? '') ? BigInt(source as string) : item,
  );
}

/** Keys of groups and joins: one text for each value. */
export function keyOf(cells: readonly Cell[]): string {
  return cells.map(canonical).join('\u0001');
}
