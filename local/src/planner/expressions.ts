/** Plans bound expressions as values. Every kind of expression is a case here; operators have separate files. */
import type { BoundExpression, DynamicConstant } from '../../../language/src/index.ts';
import { planAggregate } from './aggregates.ts';
import { PlanError } from './errors.ts';
import { planFunction } from './functions.ts';
import { inRange, timeConstant } from './outOfRange.ts';
import {
  isPlain,
  operandsOf,
  planWithoutRows,
  precomputedOf,
  precomputeLarge,
  precomputeOperands,
} from './precompute.ts';
import { planBetween, planBinary, planIn, planTerm, planUnary } from './scalarOperators.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import {
  arrayValue,
  as,
  constant,
  convert,
  mapValue,
  nullOf,
  scalarOf,
  toDynamic,
  type Value,
  type ValueType,
  value,
  valueType,
} from './values.ts';

/**
 * Plans an expression.
 * @throws PlanError with the expression's position if it cannot be planned.
 */
export function planExpression(node: BoundExpression, scope: Scope): Value {
  return inRange(planOperand(node, scope), node);
}

/** Plans an operand that may be a time or timespan out of range; see `outOfRange.ts`. */
export function planOperand(node: BoundExpression, scope: Scope): Value {
  const precomputed = precomputedOf(scope);
  const column = precomputed?.columnFor(node);
  if (column !== undefined) return column;
  const plain = planNode(node, scope);
  const isUsable = isPlain(plain.sql) || isAggregate(node);
  const planned = isUsable
    ? plain
    : precomputeOperands(plain, operandsOf(node), scope, () => planNode(node, scope));
  const { length } = planned.sql.text;
  if (
    length > maxSqlLength &&
    length > maxSqlGrowth * (node.end - node.start + sentLength(scope))
  ) {
    const message =
      'What is nested here becomes too long. Compute the inner part with extend before.';
    throw new PlanError('unsupported-expression', node, message);
  }
  if (precomputed === undefined) return planned;
  precomputed.planned.set(node, planned);
  return planned.variants === undefined && isSubQuery(node, planned)
    ? precomputed.add(node, planned)
    : planned;
}

/**
 * Returns whether an expression is an aggregate, whose arguments are planned over other rows than the aggregate itself.
 */
function isAggregate(node: BoundExpression): boolean {
  return node.kind === 'call' && node.aggregate;
}

/** Returns whether an expression is itself a sub-query, instead of having one as an operand. */
function isSubQuery({ kind }: BoundExpression, of: Value): boolean {
  const names = kind === 'in' || kind === 'let' || kind === 'parameter';
  return names && print.has(of.sql, 'select');
}

/** Plans an expression and converts it to a type. */
export function planAs(node: BoundExpression, type: ValueType, scope: Scope): Value {
  const plan = () => convert(planExpression(node, scope), type);
  return precomputeOperands(plan(), [node], scope, plan);
}

/**
 * The maximum length of an expression's SQL, and its maximum ratio to the expression's text with the variables. Some
 * functions write an operand more than once, so nesting a few dozen of them would exhaust memory.
 */
const maxSqlLength = 1_000_000;
const maxSqlGrowth = 50;

/** Returns the total SQL length of the request's variables, which any expression may use. */
function sentLength({ planning }: Scope): number {
  return [...planning.parameters.values()].reduce((sum, sent) => sum + sent.sql.text.length, 0);
}

function planNode(node: BoundExpression, scope: Scope): Value {
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
      return value(planTerm(node, scope), 'bool');
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

/** The minimum SQL length of a literal that is precomputed in a column. */
const minPrecomputedLiteral = 10_000;

function precomputeIfLong(node: BoundExpression, of: Value, scope: Scope): Value {
  if (of.sql.text.length < minPrecomputedLiteral) return of;
  return precomputeLarge(node, of, of.sql, (operand) => operand, scope);
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

/** Adds today's date to a time of day; returns other times unchanged. */
function withDate(time: string, now: bigint): string {
  if (!/^\s*\d{1,2}:\d/.test(time)) return time;
  const today = new Date(Number(now / 1_000_000n)).toISOString().slice(0, 10);
  return `${today} ${time.trim().replace(/^\d:/, '0$&')}`;
}

/** Returns a literal's type, inferred from its value if the bound type is open. */
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

/** Returns whether a real may be NaN: computed values may, values stored in a dataset may not. */
export function mayBeNaN(node: BoundExpression): boolean {
  return !(node.kind === 'column' && node.column?.dataset !== undefined);
}

/** Returns a dynamic constant as a JSON literal. */
export function dynamicConstant(of: DynamicConstant): Value {
  if (of === null) return { ...nullOf('dynamic'), constant: { kind: 'dynamic', value: null } };
  const json = sql`${print.text(toJson(of))}::JSON`;
  const shape = Array.isArray(of) ? 'array' : typeof of === 'object' ? 'map' : undefined;
  const plain = { ...value(json, 'dynamic'), constant: { kind: 'dynamic', value: of } as const };
  return shape === undefined ? plain : { ...plain, shape };
}

/** Serializes to JSON and keeps all digits of big integers. */
function toJson(of: DynamicConstant): string {
  if (typeof of === 'bigint') return of.toString();
  if (typeof of === 'number') return Number.isFinite(of) ? String(of) : 'null';
  if (Array.isArray(of)) return `[${of.map(toJson).join(',')}]`;
  if (of !== null && typeof of === 'object') {
    const entries = Object.entries(of as Readonly<Record<string, DynamicConstant>>);
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(of);
}

/**
 * The maximum length of a `let`'s SQL. Each use of a `let` inlines its SQL, so lets that double each other soon exceed
 * the limit.
 */
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
  const name = scalarOf(key);
  const pointer =
    typeof name === 'string' ? pointerTo(name) : sql`apl.pointer(${as(key, 'string')})`;
  return value(sql`apl.member(${target}, ${pointer})`, 'dynamic');
}

/**
 * Returns the trailing constant keys of a path and the expression that they start from. One call reads all of them,
 * because a macro repeats its target and nested calls would grow fourfold with each step.
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

/**
 * Returns a key as a step of a JSON path; undefined for keys with quotes, backslashes or `*`, which a path can't
 * escape.
 */
function pathStep(key: unknown): string | undefined {
  if (typeof key === 'string') return /^[^"\\*]+$/.test(key) ? `."${key}"` : undefined;
  if (typeof key !== 'bigint' || key >= 2n ** 31n || key <= -(2n ** 31n)) return undefined;
  return key < 0n ? `[#${key}]` : `[${key}]`;
}

/** Returns the JSON pointer of a member, with `~` and `/` escaped. */
export function pointerTo(name: string): Sql {
  return print.text(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}
