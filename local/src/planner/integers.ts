/**
 * Compares integers with JSON numbers and with columns of several types. JSON numbers are read as 128-bit integers if
 * the compared integer may exceed 2^53, beyond which doubles are inexact.
 */
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, scalarOf, type Value } from './values.ts';

/** How to convert a fraction that is compared with an integer. `none` makes it null. */
export type Fraction = 'none' | 'floor' | 'ceil';

/** Returns whether a comparison of a JSON number with this value needs all digits of the number. */
export function needsAllDigits(of: Value): boolean {
  if (of.type !== 'long') return false;
  const known = scalarOf(of);
  return typeof known !== 'bigint' || !Number.isSafeInteger(Number(known));
}

/** Returns SQL for a JSON value as a number, with all digits if the comparison with `other` needs them. */
export function jsonNumber(of: Sql, other: Value, fraction: Fraction = 'none'): Sql {
  return needsAllDigits(other) ? print.call(jsonMacros[fraction], of) : sql`apl.json_number(${of})`;
}

/** Casts a numeric operand to the type that `jsonNumber` gives the JSON operand. */
export function numberForJson(of: Value): Sql {
  return as(of, needsAllDigits(of) ? 'long' : 'real');
}

/** Combines an integer and a float column into one number. At least one of the two columns is null in each row. */
export function eitherNumber(long: Sql, real: Sql, fraction: Fraction): Sql {
  return sql`coalesce(${long}, ${print.call(realMacros[fraction], real)})`;
}

const jsonMacros = { none: 'apl.json_whole', floor: 'apl.json_floor', ceil: 'apl.json_ceil' };
const realMacros = { none: 'apl.real_whole', floor: 'apl.real_floor', ceil: 'apl.real_ceil' };
