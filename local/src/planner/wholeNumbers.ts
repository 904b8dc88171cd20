/**
 * Numbers of JSON, or of a column of several types, beside a whole number. A double holds whole numbers
 * up to 2^53 only, so beside a greater one, or one that is not known, they are read as 128-bit integers.
 */
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, scalarOf, type Value } from './values.ts';

/** What becomes of a fraction: it is equal to no whole number, or it makes way in a comparison of order. */
export type Fraction = 'none' | 'floor' | 'ceil';

/** Whether numbers beside this one must keep all of their digits. */
export function needsAllDigits(of: Value): boolean {
  if (of.type !== 'long') return false;
  const known = scalarOf(of);
  return typeof known !== 'bigint' || !Number.isSafeInteger(Number(known));
}

/** The number that JSON is, for a comparison with `other`. */
export function jsonNumber(of: Sql, other: Value, fraction: Fraction = 'none'): Sql {
  return needsAllDigits(other) ? print.call(jsonMacros[fraction], of) : sql`apl.json_number(${of})`;
}

/** A number as the type that `jsonNumber` reads JSON as beside it. */
export function numberBesideJson(of: Value): Sql {
  return as(of, needsAllDigits(of) ? 'long' : 'real');
}

/** The number in the columns of whole and of real numbers, one of which is null. */
export function eitherNumber(long: Sql, real: Sql, fraction: Fraction): Sql {
  return sql`coalesce(${long}, ${print.call(realMacros[fraction], real)})`;
}

const jsonMacros = { none: 'apl.json_whole', floor: 'apl.json_floor', ceil: 'apl.json_ceil' };
const realMacros = { none: 'apl.real_whole', floor: 'apl.real_floor', ceil: 'apl.real_ceil' };
