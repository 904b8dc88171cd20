/**
 * Converts two values to a common type for a comparison. Two numbers are compared as numbers. A string or JSON value is
 * converted to the other operand's type.
 */
import { eitherNumber, type Fraction, jsonNumber, needsAllDigits } from './integers.ts';
import { outOfRangeTime } from './outOfRange.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, isNumeric, scalarOf, toNumber, type Value, type ValueType } from './values.ts';

/** Returns the SQL of both values, converted to a common type. A value that can't be converted becomes null. */
export function comparable(left: Value, right: Value, operator = '=='): readonly [Sql, Sql] {
  if (left.type === 'dynamic' && right.type === 'dynamic') return [left.sql, right.sql];
  const numbers = outOfRangeNumbers(left, right);
  if (numbers !== undefined) return numbers;
  const [ofLeft, ofRight] = fractions[operator] ?? fractionsOfEquals;
  if (left.type === 'dynamic') return [jsonAs(left, right, ofLeft), operandForJson(right, left)];
  if (right.type === 'dynamic') return [operandForJson(left, right), jsonAs(right, left, ofRight)];
  const type = commonType(left.type, right.type);
  return [operandAs(left, right, type), operandAs(right, left, type)];
}

/**
 * Returns two constant times as numbers if either is out of range, because SQL would turn that time into an infinity.
 */
function outOfRangeNumbers(left: Value, right: Value): readonly [Sql, Sql] | undefined {
  if (left.type !== right.type) return undefined;
  if (left.outOfRange === undefined && right.outOfRange === undefined) return undefined;
  const [a, b] = [scalarOf(left), scalarOf(right)];
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return undefined;
  return [print.bareLong(a), print.bareLong(b)];
}

/** Rounding for a JSON fraction that is compared with an integer. For example, `2.5 < 3` is computed as `2 < 3`. */
const fractions: Readonly<Record<string, readonly [left: Fraction, right: Fraction]>> = {
  '<': ['floor', 'ceil'],
  '>=': ['floor', 'ceil'],
  '>': ['ceil', 'floor'],
  '<=': ['ceil', 'floor'],
};
const fractionsOfEquals = ['none', 'none'] as const;

function operandForJson(of: Value, other: Value): Sql {
  const double = isNumeric(of.type) && other.variants === undefined && !needsAllDigits(of);
  return operandAs(of, other, double ? 'real' : of.type);
}

/** Converts an operand to `type`. Casts an integer constant only if the other operand is constant too. */
function operandAs(of: Value, other: Value, type: ValueType): Sql {
  const known = scalarOf(of);
  const outOfRange = outOfRangeTime(of, type);
  if (outOfRange !== undefined) return outOfRange.sql;
  const plain = type === of.type && other.constant === undefined && typeof known === 'bigint';
  if (plain && (type === 'long' || type === 'timespan')) return print.bareLong(known);
  return as(of, type);
}

/**
 * Reads JSON as the other operand's type. A JSON string isn't read as a number, and a JSON number isn't read as a
 * string.
 */
function jsonAs(of: Value, other: Value, fraction: Fraction): Sql {
  const { type } = other;
  if (of.variants !== undefined) {
    if (!isNumeric(type)) return as(of, type);
    const variant = (kind: ValueType) => of.variants?.find((found) => found.type === kind)?.sql;
    const [long, real] = [variant('long'), variant('real')];
    const exact = long !== undefined && real !== undefined && needsAllDigits(other);
    return exact ? eitherNumber(long, real, fraction) : toNumber(of).sql;
  }
  switch (type) {
    case 'string':
      return sql`apl.json_string(${of.sql})`;
    case 'long':
    case 'real':
      return jsonNumber(of.sql, other, fraction);
    case 'bool':
      return sql`apl.json_boolean(${of.sql})`;
    default:
      return as(of, type);
  }
}

function commonType(left: ValueType, right: ValueType): ValueType {
  if (left === right) return left;
  if (isNumeric(left) && isNumeric(right)) return 'real';
  if (left === 'string' || right === 'string') return left === 'string' ? right : left;
  if (left === 'datetime' || right === 'datetime') return 'datetime';
  if (left === 'timespan' || right === 'timespan') return 'timespan';
  return 'real';
}
