/**
 * Compares integers with JSON numbers and with columns of several types. A double is exact only for integers up to
 * 2^53. If the compared integer is greater, or not known during planning, JSON numbers are read as 128-bit integers.
 */
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, scalarOf, type Value } from './values.ts';

/** The conversion of a fraction that is compared with an integer: `none` makes it null, `floor` and `ceil` round it. */
export type Fraction = 'none' | 'floor' | 'ceil';

/** Returns whether a number must be read with all digits to compare it with this value. */
export function needsAllDigits(of: Value): boolean {
  if (of.type !== 'long') return false;
  const known = scalarOf(of);
  return typeof known !== 'bigint' || !Number.isSafeInteger(Number(known));
}

/** Returns SQL for a JSON value as a number, with all digits if the comparison with `other` needs them. */
export function jsonNumber(of: Sql, other: Value, fraction: Fraction = 'none'): Sql {
  return needsAllDigits(other) ? print.call(jsonMacros[fraction], of) : sql`apl.json_number(${of})`;
}

/** Converts the numeric operand of a comparison to the type that `jsonNumber` gives the comparison's JSON operand. */
export function numberForJson(of: Value): Sql {
  return as(of, needsAllDigits(of) ? 'long' : 'real');
}

/** Returns SQL for the number stored in an integer or a real column. In each row, at least one of them is null. */
export function eitherNumber(long: Sql, real: Sql, fraction: Fraction): Sql {
  return sql`coalesce(${long}, ${print.call(realMacros[fraction], real)})`;
}

const jsonMacros = { none: 'apl.json_whole', floor: 'apl.json_floor', ceil: 'apl.json_ceil' };
const realMacros = { none: 'apl.real_whole', floor: 'apl.real_floor', ceil: 'apl.real_ceil' };
