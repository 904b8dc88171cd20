/**
 * Plans each kind of expression. `expressions.ts` calls this file through `Planning`, which avoids a circular import.
 */
import type { BoundExpression } from '../../../language/src/index.ts';
import { planAggregate } from './aggregates.ts';
import { PlanError } from './errors.ts';
import { dynamicConstant, planExpression, planOperand, pointerOf } from './expressions.ts';
import { planFunction } from './functions.ts';
import { timeConstant } from './outOfRange.ts';
import { planWithoutRows, precomputeLarge } from './precompute.ts';
import { planBetween, planBinary, planIn, planTerm, planUnary } from './scalarOperators.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { sql } from './sql.ts';
import {
  arrayValue,
  as,
  constant,
  convert,
  mapValue,
  scalarOf,
  toDynamic,
  type Value,
  value,
  valueType,
} from './values.ts';

/** Plans an expression without precomputing its operands. The result may be an out-of-range time or timespan. */
export function planNode(node: BoundExpression, scope: Scope): Value {
  switch (node.kind) {
    case 'literal':
      return precomputeIfLong(node, planLiteral(node, scope), scope);
    case 'dynamic':
      return precomputeIfLong(node, dynamicConstant(node.value), scope);
    case 'array': {
      const items = node.items.map((item) => toDynamic(planExpression(item, scope)).sql);
      return arrayValue(print.call('json_array', ...items));
    }
    case 'bag': {
      const parts = node.entries.flatMap((entry) => [
        print.text(entry.key),
        toDynamic(planExpression(entry.value, scope)).sql,
      ]);
      return mapValue(print.call('json_object', ...parts));
    }
    case 'column':
      return scope.column(node.name, node.side, node);
    case 'let':
      return planLet(node.name, scope, node);
    case 'parameter': {
      const found = scope.planning.parameters.get(node.name);
      if (found === undefined) {
        throw new PlanError('unknown-column', node, `The parameter ${node.name} has no value.`);
      }
      scope.planning.size.addNamed(found.sql.text.length, node);
      return found;
    }
    case 'unary':
      return planUnary(node, scope);
    case 'binary':
      return planBinary(node, scope);
    case 'in':
      return planIn(node, scope);
    case 'between':
      return planBetween(node, scope);
    case 'call':
      return node.aggregate ? planAggregate(node, scope) : planFunction(node, scope);
    case 'named':
      return planExpression(node.value, scope);
    case 'member':
      return planMember(node, scope);
    case 'slice': {
      const items = as(planExpression(node.target, scope), 'dynamic');
      const from = node.from ? as(planExpression(node.from, scope), 'long') : print.long(0n);
      const to = node.to ? as(planExpression(node.to, scope), 'long') : print.long(2n ** 31n - 1n);
      return arrayValue(sql`apl.array_slice(${items}, apl.place(${from}), apl.place(${to}))`);
    }
    case 'term':
      return value(planTerm(node, scope, false), 'bool');
    case 'star':
    case 'typeof':
    case 'subquery':
      throw new PlanError(
        'unsupported-expression',
        node,
        `${phrases[node.kind]} is not allowed here.`,
      );
    case 'error':
      throw new PlanError('invalid-query', node, 'This part of the query is not valid.');
  }
}

/** A literal whose SQL has at least this many characters is precomputed as a column. */
const minPrecomputedLiteral = 10_000;

function precomputeIfLong(node: BoundExpression, of: Value, scope: Scope): Value {
  if (of.sql.text.length < minPrecomputedLiteral) return of;
  return precomputeLarge(node, of.sql, (operand) => ({ ...of, sql: operand }), scope);
}

const phrases = { star: '*', typeof: 'A type', subquery: 'A sub-query' } as const;

function planLiteral(node: BoundExpression & { kind: 'literal' }, scope: Scope): Value {
  const type = node.value === null ? valueType(node.type) : literalType(node);
  const { value: of } = node;
  if (type === 'long' && typeof of === 'bigint' && !print.isLong(of)) {
    const tooLarge = `${of} is outside the range of a 64-bit integer.`;
    throw new PlanError('invalid-argument', node, tooLarge);
  }
  if ((type === 'datetime' || type === 'timespan') && typeof of === 'bigint') {
    return timeConstant(of, type, 'written');
  }
  if (type === 'datetime' && typeof of === 'string') {
    return convert(constant(withDate(of, scope.planning.context.now), 'string'), 'datetime');
  }
  return constant(of, type);
}

/** Prepends today's date to a time of day such as `10:30`. */
function withDate(time: string, now: bigint): string {
  if (!/^\s*\d{1,2}:\d/.test(time)) return time;
  const today = new Date(Number(now / 1_000_000n)).toISOString().slice(0, 10);
  return `${today} ${time.trim().replace(/^\d:/, '0$&')}`;
}

function literalType(node: BoundExpression & { kind: 'literal' }): Value['type'] {
  if (node.type !== 'unknown' && node.type !== 'dynamic') return node.type;
  switch (typeof node.value) {
    case 'bigint':
      return 'long';
    case 'number':
      return 'real';
    case 'boolean':
      return 'bool';
    default:
      return 'string';
  }
}

/** The maximum length of a `let`'s SQL. A `let` that uses another `let` twice doubles the length. */
const maxLetLength = 50_000;

function planLet(name: string, scope: Scope, at: BoundExpression): Value {
  const { planning } = scope;
  const known = planning.values.get(name);
  if (known !== undefined) {
    planning.size.addNamed(known.sql.text.length, at);
    return known;
  }
  const expression = planning.expressionLets.get(name);
  if (expression === undefined) {
    throw new PlanError('unsupported-expression', at, `${name} is a table. Use a value here.`);
  }
  const planned = planWithoutRows(planning, (alone) => planOperand(expression, alone));
  if (planned.sql.text.length > maxLetLength) {
    const message = `${name} is too long after the let statements that it uses are expanded. Use fewer of them.`;
    throw new PlanError('unsupported-expression', expression, message);
  }
  planning.values.set(name, planned);
  return planned;
}

function planMember(node: BoundExpression & { kind: 'member' }, scope: Scope): Value {
  const { root, steps } = constantPath(node, scope);
  if (steps.length > 1) {
    const target = as(planExpression(root, scope), 'dynamic');
    const path = print.text(`$${steps.join('')}`);
    return value(sql`apl.present(json_extract(${target}, ${path}))`, 'dynamic');
  }
  const target = as(planExpression(node.target, scope), 'dynamic');
  const key = planExpression(node.key, scope);
  if (key.type === 'long' || key.type === 'real') {
    return value(sql`apl.element(${target}, ${as(key, 'long')})`, 'dynamic');
  }
  return value(sql`apl.member(${target}, ${pointerOf(key)})`, 'dynamic');
}

/**
 * Splits a path such as `a.b["c"]` into its trailing constant keys and the expression before them, because a call per
 * key would quadruple the SQL each time.
 */
function constantPath(node: BoundExpression, scope: Scope) {
  const steps: string[] = [];
  let root = node;
  for (; root.kind === 'member'; root = root.target) {
    const step = pathStep(scalarOf(planExpression(root.key, scope)));
    if (step === undefined) break;
    steps.unshift(step);
  }
  return { root, steps };
}

/** Returns a key as a step of a JSON path, or undefined if a path can't express the key. */
function pathStep(key: unknown): string | undefined {
  if (typeof key === 'string') return /^[^"\\*]+$/.test(key) ? `."${key}"` : undefined;
  if (typeof key !== 'bigint' || key >= 2n ** 31n || key <= -(2n ** 31n)) return undefined;
  return key < 0n ? `[#${key}]` : `[${key}]`;
}
