/**
 * Plans arithmetic.
 *
 * - As in Kusto, integer division truncates towards zero, and a remainder is never negative.
 * - Integer division by zero is null.
 * - As in Kusto and Go, integers wrap around at 64 bits.
 * - Times and timespans are counted in nanoseconds and become null on overflow.
 */

import type { BoundExpression } from '../../../language/src/index.ts';
import { planOperand } from './expressions.ts';
import { canUseTry, nullOnError, nullOnErrorOr } from './nullOnError.ts';
import { inRange, originOf, timeConstant } from './outOfRange.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import {
  as,
  constant,
  isNumeric,
  nullOf,
  scalarOf,
  toNumber,
  type Value,
  type ValueType,
  value,
} from './values.ts';

type Operator = '+' | '-' | '*' | '/' | '%';

const operators: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);

export function planArithmetic(
  node: BoundExpression & { kind: 'binary' },
  scope: Scope,
): Value | undefined {
  if (!operators.has(node.operator)) return undefined;
  // Use a loop, because a left-associative chain such as `a + b + c …` may be too long for recursion.
  const chain: (BoundExpression & { kind: 'binary' })[] = [];
  let first: BoundExpression = node;
  while (first.kind === 'binary' && operators.has(first.operator)) {
    chain.push(first);
    first = first.left;
  }
  return chain.reduceRight(
    (left, link) => {
      const right = planOperand(link.right, scope);
      const operator = link.operator as Operator;
      return (
        fold(operator, left, right) ??
        combine(operator, inRange(left, link.left), inRange(right, link.right))
      );
    },
    planOperand(first, scope),
  );
}

function combine(operator: Operator, left: Value, right: Value): Value {
  const folded = fold(operator, left, right);
  if (folded !== undefined) return folded;
  const times = combineTimes(operator, left, right);
  if (times !== undefined) return times;
  const a = toNumber(left);
  const b = toNumber(right);
  if (a.type === 'long' && b.type === 'long') return value(wrapping(operator, a, b), 'long');
  return value(onReals(operator, as(a, 'real'), as(b, 'real')), 'real');
}

/** Returns an operand's SQL. An integer constant has no cast, so that it takes the other operand's type. */
function operand(of: Value): Sql {
  const known = scalarOf(of);
  return typeof known === 'bigint' ? print.bareLong(known) : of.sql;
}

const macroNames: Readonly<Record<Operator, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divide',
  '%': 'modulo',
};

/**
 * The maximum total weight of the operands of a macro that repeats them. In a long chain of operations, repetition
 * would make the SQL grow exponentially.
 */
const maxRepeatedWeight = 160;

function canRepeat(...operands: readonly Sql[]): boolean {
  const weight = operands.reduce((sum, operand) => sum + operand.weight, 0);
  return weight <= maxRepeatedWeight && operands.every(canUseTry);
}

function wrapping(operator: Operator, left: Value, right: Value): Sql {
  const macro = `apl.${macroNames[operator]}_long`;
  const divisor = operator === '/' ? scalarOf(right) : undefined;
  const staysInRange = divisor !== undefined && divisor !== -1n;
  const [a, b] = [operand(left), operand(right)];
  if (staysInRange) return nullOnError(sql`${a} // ${b}`);
  return print.call(canRepeat(a, b) ? macro : `${macro}_wide`, a, b);
}

/** Returns the negated value. The minimum 64-bit integer wraps around to itself. */
export function negated(of: Value): Value {
  return combine('-', constant(0n, 'long'), of);
}

function onLongs(operator: Operator, left: Value, right: Value): Sql {
  const [a, b] = [operand(left), operand(right)];
  switch (operator) {
    case '/':
      return nullOnError(sql`${a} // ${b}`);
    case '%':
      return nullOnError(sql`apl.modulo_long(${a}, ${b})`);
    default:
      return nullOnErrorOr(
        sql`${a} ${symbols[operator]} ${b}`,
        print.call(`apl.${macroNames[operator]}_span`, a, b),
      );
  }
}

function onReals(operator: Operator, a: Sql, b: Sql): Sql {
  if (operator === '%') return sql`apl.modulo(${a}, ${b})`;
  return sql`(${a} ${symbols[operator]} ${b})`;
}

const symbols = { '+': sql`+`, '-': sql`-`, '*': sql`*`, '/': sql`/` } as const;

/** Adds or subtracts a timespan. A result outside the range of times is null. */
export function movedTime(macro: 'time_plus' | 'time_minus', time: Sql, length: Sql): Sql {
  const wide = print.call(`apl.${macro}_wide`, time, length);
  return nullOnErrorOr(print.call(`apl.${macro}`, time, length), wide);
}

function timeBetween(later: Sql, earlier: Sql): Sql {
  const wide = sql`apl.minus_span(epoch_ns(${later}), epoch_ns(${earlier}))`;
  return nullOnErrorOr(sql`apl.time_difference(${later}, ${earlier})`, wide);
}

function combineTimes(operator: Operator, left: Value, right: Value): Value | undefined {
  const types = `${left.type} ${operator} ${right.type}`;
  const [a, b] = [left.sql, right.sql];
  switch (types) {
    case 'datetime - datetime':
      return value(timeBetween(a, b), 'timespan');
    case 'datetime + timespan':
      return value(movedTime('time_plus', a, b), 'datetime');
    case 'timespan + datetime':
      return value(movedTime('time_plus', b, a), 'datetime');
    case 'datetime - timespan':
      return value(movedTime('time_minus', a, b), 'datetime');
    case 'datetime % timespan':
      return value(sql`apl.modulo_time(${a}, ${b})`, 'timespan');
    case 'timespan / timespan':
      return value(sql`(CAST(${a} AS DOUBLE) / CAST(${b} AS DOUBLE))`, 'real');
  }
  if (left.type === 'datetime' || right.type === 'datetime') {
    return left.type === 'dynamic' || right.type === 'dynamic'
      ? combine(operator, ...dynamicAsTimespan(left, right))
      : undefined;
  }
  if (left.type !== 'timespan' && right.type !== 'timespan') return undefined;
  return withTimespan(operator, left, right);
}

function dynamicAsTimespan(left: Value, right: Value): [Value, Value] {
  if (left.type === 'dynamic') return [value(as(left, 'timespan'), 'timespan'), right];
  return [left, value(as(right, 'timespan'), 'timespan')];
}

function withTimespan(operator: Operator, left: Value, right: Value): Value {
  if (operator === '/' && right.type === 'timespan' && left.type !== 'timespan') {
    return value(onReals(operator, as(left, 'real'), as(right, 'real')), 'real');
  }
  const scaling = (operator === '*' || operator === '/') && left.type !== right.type;
  if (scaling && (isReal(left) || isReal(right))) {
    const product = onReals(operator, as(left, 'real'), as(right, 'real'));
    return value(sql`apl.truncate_long(${product})`, 'timespan');
  }
  const a = { ...left, sql: as(left, 'long'), type: 'long' as ValueType };
  const b = { ...right, sql: as(right, 'long'), type: 'long' as ValueType };
  return value(onLongs(operator, a, b), 'timespan');
}

function isReal(of: Value): boolean {
  return of.type === 'real' || of.type === 'dynamic';
}

// ── Constants ─────────────────────────────────────────────────────────────────────────────────────

/** Computes an operation on two constants, so that a filter such as `x > 2 * 3` compares with a single constant. */
function fold(operator: Operator, left: Value, right: Value): Value | undefined {
  const a = scalarOf(left);
  const b = scalarOf(right);
  if (typeof a === 'bigint' && typeof b === 'bigint') return foldLongs(operator, left, right, a, b);
  if (!isNumeric(left.type) || !isNumeric(right.type)) return undefined;
  if (a === null || b === null || a === undefined || b === undefined) return undefined;
  return operator === '%' ? undefined : constant(realFolds[operator](Number(a), Number(b)), 'real');
}

const foldedTypes: Readonly<Record<string, ValueType>> = {
  'datetime - datetime': 'timespan',
  'datetime + timespan': 'datetime',
  'timespan + datetime': 'datetime',
  'datetime - timespan': 'datetime',
  'timespan + timespan': 'timespan',
  'timespan - timespan': 'timespan',
  'timespan * long': 'timespan',
  'long * timespan': 'timespan',
  'timespan / long': 'timespan',
};

function foldLongs(
  operator: Operator,
  left: Value,
  right: Value,
  a: bigint,
  b: bigint,
): Value | undefined {
  const both = left.type === 'long' && right.type === 'long';
  const type = both ? 'long' : foldedTypes[`${left.type} ${operator} ${right.type}`];
  if (type === undefined) return undefined;
  if ((operator === '/' || operator === '%') && b === 0n) return nullOf(type);
  const result = folds[operator](a, b);
  if (both) return constant(BigInt.asIntN(64, result), type);
  const known = timeConstant(result, type as 'datetime' | 'timespan', originOf([left, right]));
  return left.outOfRange === undefined && right.outOfRange === undefined
    ? known
    : { ...known, outOfRange: originOf([left, right]) };
}

const folds: Readonly<Record<Operator, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => ((a % b) + (b < 0n ? -b : b)) % b,
};

const realFolds: Readonly<Record<Exclude<Operator, '%'>, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
