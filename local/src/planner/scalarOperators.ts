/**
 * Scalar operators. Where the public documentation contradicts itself on null, the rules are its table
 * of logical operators: `==` with a null on either side is false, `!=` is true, and every test of a text
 * that is missing fails, so that its negation holds. `<` and its kin with a null are null.
 */

import type { BoundExpression, Span } from '../../../language/src/index.ts';
import { planArithmetic } from './arithmetic.ts';
import { attempt } from './attempt.ts';
import { PlanError } from './errors.ts';
import { planExpression } from './expressions.ts';
import { firstColumn } from './output.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { isTextOperator, textTest } from './textOperators.ts';
import {
  as,
  constant,
  convert,
  isNull,
  isNumeric,
  scalarOf,
  toNumber,
  toText,
  type Value,
  type ValueType,
  value,
} from './values.ts';
import {
  eitherNumber,
  type Fraction,
  jsonNumber,
  needsAllDigits,
  numberBesideJson,
} from './wholeNumbers.ts';

type Binary = BoundExpression & { kind: 'binary' };

/** A condition for WHERE, where null counts as false, so that plain comparisons can stand. */
export function planPredicate(node: BoundExpression, scope: Scope): Sql {
  if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
    const word = node.operator === 'and' ? (' AND ' as const) : (' OR ' as const);
    const parts = operands(node).map((part) => planPredicate(part, scope));
    return sql`(${print.join(parts, word)})`;
  }
  return condition(node, scope, true);
}

/** The conjuncts of a condition, so that each can be a plain line of WHERE. */
export function planConjuncts(node: BoundExpression, scope: Scope): readonly Sql[] {
  if (node.kind === 'binary' && node.operator === 'and') {
    return operands(node).map((part) => planPredicate(part, scope));
  }
  return [planPredicate(node, scope)];
}

/** The operands of a chain of one logical operator, which may be thousands long. */
function operands(node: Binary): readonly BoundExpression[] {
  const found: BoundExpression[] = [];
  let rest: BoundExpression = node;
  while (rest.kind === 'binary' && rest.operator === node.operator) {
    found.push(rest.right);
    rest = rest.left;
  }
  found.push(rest);
  return found.reverse();
}

/** A test whose null, in a filter, may stand for false. */
function condition(node: BoundExpression, scope: Scope, filter: boolean): Sql {
  switch (node.kind) {
    case 'binary': {
      const left = () => planExpression(node.left, scope);
      const right = () => planExpression(node.right, scope);
      if (node.operator === '==' || node.operator === '!=' || node.operator === '<>') {
        return equality(node, left(), right(), filter);
      }
      if (isTextOperator(node.operator)) {
        const anywhere = node.left.kind === 'star';
        const test = anywhere
          ? anyColumn(node.operator, right(), scope, node.right)
          : textTest(node.operator, left(), right(), node.right);
        return settled(test, node.operator, filter);
      }
      break;
    }
    case 'in':
      return settled(membership(node, scope), node.operator, filter);
    case 'term':
      return planTerm(node, scope);
    default:
  }
  return as(planExpression(node, scope), 'bool');
}

/** A test made sure of: null is false, and a negated test is the opposite of that. */
function settled(test: Sql, operator: string, filter: boolean): Sql {
  if (operator.startsWith('!')) return sql`NOT coalesce(${test}, false)`;
  return filter ? test : sql`coalesce(${test}, false)`;
}

/** A term of a search: looked for in its field, or in every column. */
export function planTerm(node: BoundExpression & { kind: 'term' }, scope: Scope): Sql {
  if (node.match === 'any') return sql`true`;
  const regex = node.match === 'regex';
  const sensitive = scope.caseSensitive === true;
  const operator = regex ? 'matches regex' : `${node.match}${sensitive ? '_cs' : ''}`;
  const right = constant(`${regex && !sensitive ? '(?i)' : ''}${node.text}`, 'string');
  if (node.field === undefined) return anyColumn(operator, right, scope, node);
  const field = value(toText(planExpression(node.field, scope)), 'string');
  return sql`coalesce(${textTest(operator, field, right, node)}, false)`;
}

/**
 * Stands between the columns when a term is looked for in all of them at once, and in no term: an expression
 * with classes of Unicode takes DuckDB milliseconds to compile, and a dataset has a thousand columns.
 */
const between = '\u001e';

function anyColumn(operator: string, right: Value, scope: Scope, at: Span): Sql {
  const positive = operator.replace(/^!/, '');
  const texts = scope.table.columns.map(({ name }) => toText(scope.find(name) as Value));
  const needle = scalarOf(right);
  if (positive.startsWith('has') && typeof needle === 'string' && !needle.includes(between)) {
    const all = value(sql`concat_ws(${print.text(between)}, ${print.join(texts)})`, 'string');
    return sql`coalesce(${textTest(positive, all, right, at)}, false)`;
  }
  const tests = texts.map(
    (text) => sql`coalesce(${textTest(positive, value(text, 'string'), right, at)}, false)`,
  );
  return tests.length === 0 ? sql`false` : sql`(${print.join(tests, ' OR ')})`;
}

/** The number that is a whole number of 64 bits only with a minus before it. */
const least = 2n ** 63n;

export function planUnary(node: BoundExpression & { kind: 'unary' }, scope: Scope): Value {
  if (node.operator === 'not') return negation(node.operand, scope);
  if (node.operator === '-' && node.operand.kind === 'literal') {
    // The least whole number is in range only with its sign.
    const { value: of } = node.operand;
    if (of === least && node.operand.type === 'long') return constant(-of, 'long');
  }
  const operand = planExpression(node.operand, scope);
  if (node.operator === '+') return operand.type === 'dynamic' ? toNumber(operand) : operand;
  const known = scalarOf(operand);
  if (typeof known === 'bigint' && operand.type !== 'datetime' && print.isLong(-known)) {
    return constant(-known, operand.type);
  }
  if (typeof known === 'number') return constant(-known, 'real');
  const number = operand.type === 'timespan' ? operand : toNumber(operand);
  if (number.type === 'real') return value(sql`(-${number.sql})`, 'real');
  return value(attempt(sql`apl.negate(${number.sql})`), number.type);
}

/** `not(…)`: null stays null. */
export function negation(operand: BoundExpression, scope: Scope): Value {
  return value(sql`(NOT ${wrapped(as(planExpression(operand, scope), 'bool'))})`, 'bool');
}

function wrapped(of: Sql): Sql {
  return sql`(${of})`;
}

export function planBinary(node: Binary, scope: Scope): Value {
  if (node.operator === 'and' || node.operator === 'or') {
    const parts = operands(node).map((part) => as(planExpression(part, scope), 'bool'));
    const word = node.operator === 'and' ? (' AND ' as const) : (' OR ' as const);
    return value(sql`(${print.join(parts, word)})`, 'bool');
  }
  const arithmetic = planArithmetic(node, scope);
  if (arithmetic !== undefined) return arithmetic;
  const order = orderWords[node.operator];
  if (order !== undefined) {
    const [a, b] = [planExpression(node.left, scope), planExpression(node.right, scope)];
    const [left, right] = comparable(a, b, node.operator);
    // DuckDB holds NaN for the greatest number; in APL no comparison with it is true.
    const greatest = node.operator.startsWith('<')
      ? numbered(node.right, b, a, right)
      : numbered(node.left, a, b, left);
    return value(sql`(${left} ${order} ${right}${greatest})`, 'bool');
  }
  const known = node.operator === '==' || node.operator === '!=' || node.operator === '<>';
  if (!known && !isTextOperator(node.operator)) {
    throw new PlanError(
      'unsupported-expression',
      node,
      `The operator ${node.operator} is not supported on this deployment.`,
    );
  }
  return value(wrapped(condition(node, scope, false)), 'bool');
}

const orderWords: Readonly<Record<string, Sql>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

/** The longest text of an operand that is written twice; a longer one is taken to be a number. */
const mostTwice = 1000;

/** ` AND NOT isnan(…)` of a real that was computed; no dataset holds NaN, and constants are looked at here. */
function numbered(node: BoundExpression, of: Value, other: Value, text: Sql): Sql {
  const stored = node.kind === 'column' && node.column?.dataset !== undefined;
  const known = scalarOf(of);
  const number = known !== undefined && !Number.isNaN(known);
  if (of.type !== 'real' || stored || number || text.length > mostTwice) return print.nothing;
  if (other.type === 'datetime' || other.type === 'timespan') return print.nothing;
  return sql` AND NOT isnan(${text})`;
}

/** Null and NaN are equal to nothing, themselves included. */
function equalsNothing(of: Value): boolean {
  return isNull(of) || Number.isNaN(scalarOf(of));
}

function equality(node: Binary, left: Value, right: Value, filter: boolean): Sql {
  const equal = node.operator === '==';
  if (equalsNothing(left) || equalsNothing(right)) return print.bool(!equal);
  const [a, b] = comparable(left, right);
  const number =
    scalarOf(right) === undefined ? numbered(node.left, left, right, a) : print.nothing;
  if (number !== print.nothing) {
    const test = sql`coalesce(${a} = ${b}${number}, false)`;
    return equal ? test : sql`NOT ${test}`;
  }
  if (equal) return filter ? sql`${a} = ${b}` : sql`coalesce(${a} = ${b}, false)`;
  if (staysPresent(left, right) || staysPresent(right, left))
    return sql`${a} IS DISTINCT FROM ${b}`;
  return sql`coalesce(${a} <> ${b}, true)`;
}

/** Whether a value is a constant that is still none but itself as what it is compared with. */
function staysPresent(of: Value, other: Value): boolean {
  if (of.constant === undefined || of.type === 'dynamic') return false;
  return of.type === other.type || (isNumeric(of.type) && isNumeric(other.type));
}

/**
 * Both sides as one type that can be compared, for equality or by an operator of order; of different kinds,
 * the sides are never equal.
 */
export function comparable(left: Value, right: Value, operator = '=='): readonly [Sql, Sql] {
  if (left.type === 'dynamic' && right.type === 'dynamic') return [left.sql, right.sql];
  const [ofLeft, ofRight] = fractions[operator] ?? fractionsOfEquals;
  if (left.type === 'dynamic') return [readAs(left, right, ofLeft), beside(right, left)];
  if (right.type === 'dynamic') return [beside(left, right), readAs(right, left, ofRight)];
  const type = commonType(left.type, right.type);
  return [besideAs(left, right, type), besideAs(right, left, type)];
}

/** Where the left or the right side has a fraction: 2.5 is less than 3 as 2 is, and greater than 2 as 3 is. */
const fractions: Readonly<Record<string, readonly [left: Fraction, right: Fraction]>> = {
  '<': ['floor', 'ceil'],
  '>=': ['floor', 'ceil'],
  '>': ['ceil', 'floor'],
  '<=': ['ceil', 'floor'],
};
const fractionsOfEquals = ['none', 'none'] as const;

function beside(of: Value, other: Value): Sql {
  const double = isNumeric(of.type) && other.variants === undefined && !needsAllDigits(of);
  return besideAs(of, other, double ? 'real' : of.type);
}

/** A constant needs no type of its own where a value stands on the other side. */
function besideAs(of: Value, other: Value, type: ValueType): Sql {
  const known = scalarOf(of);
  const plain = type === of.type && other.constant === undefined && typeof known === 'bigint';
  if (plain && (type === 'long' || type === 'timespan')) return print.bareLong(known);
  return as(of, type);
}

/** JSON read as exactly the type that it is compared with; a text is no number, and the reverse. */
function readAs(of: Value, other: Value, fraction: Fraction): Sql {
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

// ── Membership and ranges ─────────────────────────────────────────────────────────────────────────

function membership(node: BoundExpression & { kind: 'in' }, scope: Scope): Sql {
  const operator = node.operator.replace(/^!/, '');
  if (operator.startsWith('has_')) return hasAny(node, scope, operator);
  const folded = operator === 'in~';
  const left = planExpression(node.left, scope);
  const [only] = node.items;
  if (node.items.length === 1 && only?.kind === 'subquery') {
    return inTable(left, only, folded, scope);
  }
  const tests: Sql[] = [];
  const keys = new Map<Sql, Sql[]>();
  for (const item of node.items.flatMap((part) => listItems(part, scope))) {
    if (isNull(item)) continue;
    if (item.type === 'dynamic' && item.constant === undefined) {
      tests.push(inArray(left, item, folded));
      continue;
    }
    const texts = folded && item.type === 'string';
    const [a, b] = comparable(texts ? convert(left, 'string') : left, item);
    const [found, wanted] = texts ? [sql`lower(${a})`, sql`lower(${b})`] : [a, b];
    const others = keys.get(found);
    if (others === undefined) keys.set(found, [wanted]);
    else others.push(wanted);
  }
  for (const [found, wanted] of keys) tests.push(sql`${found} IN (${print.join(wanted)})`);
  if (tests.length === 0) return sql`false`;
  return tests.length === 1 ? (tests[0] as Sql) : sql`(${print.join(tests, ' OR ')})`;
}

/** Whether a value is among the items of a dynamic array, as texts; a number may be written in several ways. */
function inArray(left: Value, array: Value, folded: boolean): Sql {
  const texts = sql`apl.texts(${array.sql})`;
  const found = as(left, 'string');
  if (!folded && isNumeric(left.type)) {
    const numbers = sql`list_transform(apl.flat(${array.sql}), lambda _item: ${jsonNumber(sql`_item`, left)})`;
    return sql`(list_contains(${texts}, ${found}) OR list_contains(${numbers}, ${numberBesideJson(left)}))`;
  }
  if (!folded) return sql`list_contains(${texts}, ${found})`;
  return sql`list_contains(list_transform(${texts}, lambda _item: lower(_item)), lower(${found}))`;
}

/** The items of a list: an array among them stands for its own items. */
function listItems(node: BoundExpression, scope: Scope): readonly Value[] {
  const item = planExpression(node, scope);
  if (item.constant?.kind !== 'dynamic') return [item];
  return flatConstants(item.constant.value);
}

function flatConstants(of: unknown): readonly Value[] {
  if (Array.isArray(of)) return of.flatMap(flatConstants);
  if (typeof of === 'string') return [constant(of, 'string')];
  if (typeof of === 'bigint') return [constant(of, 'long')];
  if (typeof of === 'number') return [constant(of, 'real')];
  if (typeof of === 'boolean') return [constant(of, 'bool')];
  return [];
}

function inTable(
  left: Value,
  node: BoundExpression & { kind: 'subquery' },
  folded: boolean,
  scope: Scope,
): Sql {
  const { planning } = scope;
  const { first, query } = firstColumn(planning.planPipeline(node.pipeline, planning));
  const [a, b] = comparable(left, first);
  const test = folded
    ? sql`lower(${as(left, 'string')}) IN (SELECT lower(${as(first, 'string')})`
    : sql`${a} IN (SELECT ${b}`;
  return sql`${test} FROM ${print.parenthesized(query)} AS t)`;
}

function hasAny(node: BoundExpression & { kind: 'in' }, scope: Scope, operator: string): Sql {
  const word = operator === 'has_any_cs' ? 'has_cs' : 'has';
  const left = planExpression(node.left, scope);
  const tests = node.items
    .flatMap((part) => listItems(part, scope))
    .map((item) => {
      if (item.type !== 'dynamic') return textTest(word, left, item, node);
      const each = word === 'has' ? 'apl.has_each' : 'apl.has_each_cs';
      return print.call(each, as(left, 'string'), sql`apl.texts(${item.sql})`);
    });
  return tests.length === 0 ? sql`false` : sql`(${print.join(tests, ' OR ')})`;
}

export function planIn(node: BoundExpression & { kind: 'in' }, scope: Scope): Value {
  const test = condition(node, scope, false);
  return value(node.operator.startsWith('!') ? wrapped(test) : test, 'bool');
}

export function planBetween(node: BoundExpression & { kind: 'between' }, scope: Scope): Value {
  const left = planExpression(node.left, scope);
  const low = planExpression(node.low, scope);
  let high = planExpression(node.high, scope);
  if (low.type === 'datetime' && high.type === 'timespan') high = plusTime(low, high);
  const [a, b] = comparable(left, low, '>=');
  const [c, d] = comparable(left, high, '<=');
  const test = sql`(${a} >= ${b} AND ${c} <= ${d})`;
  return value(node.negated ? sql`(NOT coalesce(${test}, false))` : test, 'bool');
}

/** `t between (a .. 1h)` counts the hour from `a`. */
function plusTime(time: Value, length: Value): Value {
  const a = scalarOf(time);
  const b = scalarOf(length);
  if (typeof a === 'bigint' && typeof b === 'bigint' && print.isLong(a + b)) {
    return constant(a + b, 'datetime');
  }
  return value(attempt(sql`apl.time_plus(${time.sql}, ${length.sql})`), 'datetime');
}
