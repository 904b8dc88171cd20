/**
 * Scalar operators. The public documentation contradicts itself about null. This file follows its table of logical
 * operators: if either side is null, `==` is false and `!=` is true. Every string test of a null is false, so its
 * negation is true. `<`, `<=`, `>` and `>=` with a null are null.
 */

import type { BoundExpression } from '../../../language/src/index.ts';
import { anyColumn } from './anyColumn.ts';
import { movedTime, negated, planArithmetic } from './arithmetic.ts';
import { comparable } from './comparable.ts';
import { PlanError } from './errors.ts';
import {
  mayBeNaN,
  planAs,
  planExpression,
  planOperand,
  precomputeOperands,
} from './expressions.ts';
import { membership } from './membership.ts';
import { nullOnErrorOr } from './nullOnError.ts';
import { inRange, timeConstant } from './outOfRange.ts';
import { isPlain, operandsOf } from './precompute.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { isTextOperator, textTest } from './textOperators.ts';
import {
  as,
  constant,
  isNull,
  isNumeric,
  scalarOf,
  toNumber,
  toText,
  type Value,
  value,
} from './values.ts';

type Binary = BoundExpression & { kind: 'binary' };

/** Plans a condition for WHERE, which treats null as false, so tests without a negation need no null handling. */
export function planPredicate(node: BoundExpression, scope: Scope): Sql {
  if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
    return logical(node, (part) => planPredicate(part, scope));
  }
  const plan = () => value(condition(node, scope, true), 'bool');
  const plain = plan();
  return isPlain(plain.sql)
    ? plain.sql
    : precomputeOperands(plain, operandsOf(node), scope, plan).sql;
}

export function planConjuncts(node: BoundExpression, scope: Scope): readonly Sql[] {
  return operands(node, 'and').map((part) => planPredicate(part, scope));
}

function logical(node: Binary, plan: (part: BoundExpression) => Sql): Sql {
  return sql`(${print.join(operands(node, node.operator).map(plan), node.operator === 'and' ? ' AND ' : ' OR ')})`;
}

/** Returns the operands of a chain with the operator, such as `and`, or the node itself if it has another one. */
export function operands(node: BoundExpression, operator: string): readonly BoundExpression[] {
  const found: BoundExpression[] = [];
  let rest = node;
  // Loop instead of recursing, because a chain may have thousands of operands.
  while (rest.kind === 'binary' && rest.operator === operator) {
    found.push(rest.right);
    rest = rest.left;
  }
  found.push(rest);
  return found.reverse();
}

/** Plans a condition. If `filter`, the SQL may return null instead of false. */
function condition(node: BoundExpression, scope: Scope, filter: boolean): Sql {
  switch (node.kind) {
    case 'binary': {
      const plan = isEquality(node.operator) ? planOperand : planExpression;
      const left = () => plan(node.left, scope);
      const right = () => plan(node.right, scope);
      const isAnyColumn = node.left.kind === 'star';
      if (isAnyColumn && isEquality(node.operator)) return equalsAnyColumn(node, right(), scope);
      if (isEquality(node.operator)) {
        return equality(node.operator === '==', node, left(), right(), filter);
      }
      if (isTextOperator(node.operator)) {
        const test = isAnyColumn
          ? anyColumn(node.operator, columnsOf(scope), right(), node.right)
          : textTest(node.operator, left(), right(), node.right);
        return withoutNull(test, node.operator, filter);
      }
      break;
    }
    case 'in':
      return withoutNull(membership(node, scope), node.operator, filter);
    case 'term':
      return planTerm(node, scope, filter);
    default:
  }
  return planAs(node, 'bool', scope).sql;
}

function withoutNull(test: Sql, operator: string, filter: boolean): Sql {
  if (operator.startsWith('!')) return sql`NOT coalesce(${test}, false)`;
  return filter ? test : sql`coalesce(${test}, false)`;
}

export function planTerm(
  node: BoundExpression & { kind: 'term' },
  scope: Scope,
  filter: boolean,
): Sql {
  if (node.match === 'any') return sql`true`;
  const regex = node.match === 'regex';
  const sensitive = scope.caseSensitive === true;
  const operator = regex ? 'matches regex' : `${node.match}${sensitive ? '_cs' : ''}`;
  const right = constant(`${regex && !sensitive ? '(?i)' : ''}${node.text}`, 'string');
  if (node.field === undefined) {
    return withoutNull(anyColumn(operator, columnsOf(scope), right, node), operator, filter);
  }
  const field = value(toText(planExpression(node.field, scope)), 'string');
  return withoutNull(textTest(operator, field, right, node), operator, filter);
}

function columnsOf(scope: Scope): readonly Value[] {
  return scope.table.columns.map(({ name }) => scope.find(name) as Value);
}

/** Plans `* == x`, which tests whether any column equals the value, or its negation, `* != x`. */
function equalsAnyColumn(node: Binary, right: Value, scope: Scope): Sql {
  const tests = columnsOf(scope).map((column) => equality(true, node, column, right, false));
  const test = tests.length === 0 ? sql`false` : sql`(${print.join(tests, ' OR ')})`;
  return node.operator === '==' ? test : sql`NOT ${test}`;
}

/** 2^63. A literal of this magnitude fits in 64 bits only if it follows a minus sign. */
const minLongMagnitude = 2n ** 63n;

export function planUnary(node: BoundExpression & { kind: 'unary' }, scope: Scope): Value {
  if (node.operator === 'not') return negation(node.operand, scope);
  if (node.operator === '-' && node.operand.kind === 'literal') {
    // Plan the minimum 64-bit integer here, because its magnitude alone is out of range.
    const { value: of } = node.operand;
    if (of === minLongMagnitude && node.operand.type === 'long') return constant(-of, 'long');
  }
  const planned = planOperand(node.operand, scope);
  const operand = planned.type === 'timespan' ? planned : inRange(planned, node.operand);
  if (node.operator === '+') return operand.type === 'dynamic' ? toNumber(operand) : operand;
  const known = scalarOf(operand);
  if (operand.outOfRange !== undefined && typeof known === 'bigint') {
    return timeConstant(-known, 'timespan', operand.outOfRange);
  }
  if (typeof known === 'bigint' && operand.type !== 'datetime' && print.isLong(-known)) {
    return constant(-known, operand.type);
  }
  if (typeof known === 'number') return constant(-known, 'real');
  const number = operand.type === 'timespan' ? operand : toNumber(operand);
  if (number.type === 'real') return value(sql`(${print.negative(number.sql)})`, 'real');
  if (number.type === 'long') return negated(number);
  const opposite = nullOnErrorOr(
    sql`apl.negate(${number.sql})`,
    sql`apl.minus_span(0, ${number.sql})`,
  );
  return value(opposite, number.type);
}

/** Plans `not`. The negation of null is null. */
export function negation(operand: BoundExpression, scope: Scope): Value {
  return value(sql`(NOT ${inParentheses(as(planExpression(operand, scope), 'bool'))})`, 'bool');
}

function inParentheses(of: Sql): Sql {
  return sql`(${of})`;
}

export function planBinary(node: Binary, scope: Scope): Value {
  if (node.operator === 'and' || node.operator === 'or') {
    const test = logical(node, (part) => as(planExpression(part, scope), 'bool'));
    return value(test, 'bool');
  }
  const arithmetic = planArithmetic(node, scope);
  if (arithmetic !== undefined) return arithmetic;
  const order = orderWords[node.operator];
  if (order !== undefined) {
    const [a, b] = [planOperand(node.left, scope), planOperand(node.right, scope)];
    const [left, right] = comparable(a, b, node.operator);
    // Exclude NaN, because DuckDB sorts it above all numbers.
    const notNaNTest = node.operator.startsWith('<')
      ? notNaN(node.right, b, a, right)
      : notNaN(node.left, a, b, left);
    return value(sql`(${left} ${order} ${right}${notNaNTest})`, 'bool');
  }
  if (!isEquality(node.operator) && !isTextOperator(node.operator)) {
    throw new PlanError(
      'unsupported-expression',
      node,
      `The operator ${node.operator} is not supported on this deployment.`,
    );
  }
  return value(inParentheses(condition(node, scope, false)), 'bool');
}

const orderWords: Readonly<Record<string, Sql>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

/** The maximum weight of an operand that a test for NaN repeats. A heavier operand is assumed not to be NaN. */
const maxNaNTestWeight = 1000;

/** Returns SQL that excludes NaN. It is empty for a dataset's column, because the column contains no NaN. */
function notNaN(node: BoundExpression, of: Value, other: Value, text: Sql): Sql {
  const known = scalarOf(of);
  const number = known !== undefined && !Number.isNaN(known);
  if (of.type !== 'real' || !mayBeNaN(node) || number || text.weight > maxNaNTestWeight)
    return print.nothing;
  if (other.type === 'datetime' || other.type === 'timespan') return print.nothing;
  return sql` AND NOT isnan(${text})`;
}

function equalsNothing(of: Value): boolean {
  return isNull(of) || Number.isNaN(scalarOf(of));
}

function isEquality(operator: string): boolean {
  return operator === '==' || operator === '!=' || operator === '<>';
}

function equality(equal: boolean, node: Binary, left: Value, right: Value, filter: boolean): Sql {
  if (equalsNothing(left) || equalsNothing(right)) return print.bool(!equal);
  const [a, b] = comparable(left, right);
  const number = scalarOf(right) === undefined ? notNaN(node.left, left, right, a) : print.nothing;
  if (number !== print.nothing) {
    const test = sql`coalesce(${a} = ${b}${number}, false)`;
    return equal ? test : sql`NOT ${test}`;
  }
  if (equal) return filter ? sql`${a} = ${b}` : sql`coalesce(${a} = ${b}, false)`;
  if (staysPresent(left, right) || staysPresent(right, left))
    return sql`${a} IS DISTINCT FROM ${b}`;
  return sql`coalesce(${a} <> ${b}, true)`;
}

/** Returns whether a constant can't become null when it is converted to the other operand's type. */
function staysPresent(of: Value, other: Value): boolean {
  if (of.constant === undefined || of.type === 'dynamic') return false;
  return of.type === other.type || (isNumeric(of.type) && isNumeric(other.type));
}

// ── Membership and ranges ─────────────────────────────────────────────────────────────────────────

export function planIn(node: BoundExpression & { kind: 'in' }, scope: Scope): Value {
  const test = condition(node, scope, false);
  return value(node.operator.startsWith('!') ? inParentheses(test) : test, 'bool');
}

export function planBetween(node: BoundExpression & { kind: 'between' }, scope: Scope): Value {
  const left = planOperand(node.left, scope);
  const low = planOperand(node.low, scope);
  let high = planOperand(node.high, scope);
  if (low.type === 'datetime' && high.type === 'timespan') high = plusTime(low, high, node);
  const [a, b] = comparable(left, low, '>=');
  const [c, d] = comparable(left, high, '<=');
  const test = sql`(${a} >= ${b} AND ${c} <= ${d})`;
  return value(node.negated ? sql`(NOT coalesce(${test}, false))` : test, 'bool');
}

/** Returns the upper bound of `t between (a .. 1h)`, which is `a + 1h`. */
function plusTime(
  time: Value,
  length: Value,
  { low, high }: BoundExpression & { kind: 'between' },
): Value {
  const a = scalarOf(time);
  const b = scalarOf(length);
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return timeConstant(a + b, 'datetime', 'computed');
  }
  const [from, by] = [inRange(time, low), inRange(length, high)];
  return value(movedTime('time_plus', from.sql, by.sql), 'datetime');
}
