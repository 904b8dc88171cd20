/** Plans expressions as values. `expressionKinds.ts` plans the individual kinds of expressions. */
import type { BoundExpression, DynamicConstant } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { inRange } from './outOfRange.ts';
import { isPlain, operandsOf, precomputedOf } from './precompute.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, convert, nullOf, scalarOf, type Value, type ValueType, value } from './values.ts';

export function planExpression(node: BoundExpression, scope: Scope): Value {
  return inRange(planOperand(node, scope), node);
}

/** Plans an operand. The result may be an out-of-range time or timespan; see `outOfRange.ts`. */
export function planOperand(node: BoundExpression, scope: Scope): Value {
  const precomputed = precomputedOf(scope);
  const column = precomputed?.columnFor(node);
  if (column !== undefined) return column;
  const plain = scope.planning.planNode(node, scope);
  const isUsable = isPlain(plain.sql) || isAggregate(node);
  const planned = isUsable
    ? plain
    : precomputeOperands(plain, operandsOf(node), scope, () =>
        scope.planning.planNode(node, scope),
      );
  const { length } = planned.sql.text;
  if (
    length > maxSqlLength &&
    length > maxSqlGrowth * (node.end - node.start + sentLength(scope))
  ) {
    const message =
      'The nested expression becomes too long. Compute the inner part in an earlier extend.';
    throw new PlanError('unsupported-expression', node, message);
  }
  scope.planning.context.check?.(node, planned.sql.text, scope.table.columns);
  if (precomputed === undefined) return planned;
  precomputed.planned.set(node, planned);
  return planned.variants === undefined && isSubQuery(node, planned)
    ? precomputed.add(node, planned)
    : planned;
}

function isAggregate(node: BoundExpression): boolean {
  return node.kind === 'call' && node.aggregate;
}

function isSubQuery({ kind }: BoundExpression, of: Value): boolean {
  const names = kind === 'in' || kind === 'let' || kind === 'parameter';
  return names && print.has(of.sql, 'select');
}

export function planAs(node: BoundExpression, type: ValueType, scope: Scope): Value {
  const plan = () => convert(planExpression(node, scope), type);
  return precomputeOperands(plan(), [node], scope, plan);
}

/**
 * The maximum SQL length of an expression, because nested functions that repeat an operand would exhaust memory. Longer
 * SQL is accepted up to `maxSqlGrowth` times the length of the expression's text and the parameters' SQL.
 */
const maxSqlLength = 1_000_000;
const maxSqlGrowth = 50;

/** Returns the SQL length of all parameters and variables, because an expression may use any of them. */
function sentLength({ planning }: Scope): number {
  return [...planning.parameters.values()].reduce((sum, sent) => sum + sent.sql.text.length, 0);
}

const minOperandWeight = 20;

/**
 * Precomputes large operands, and operands in positions that DuckDB rejects, and replans the expression. Returns
 * `plain` if that isn't necessary, isn't possible or saves too little SQL.
 */
export function precomputeOperands(
  plain: Value,
  operands: readonly BoundExpression[],
  scope: Scope,
  plan: () => Value,
): Value {
  const precomputed = precomputedOf(scope);
  if (precomputed === undefined || isPlain(plain.sql)) return plain;
  const { weight } = plain.sql;
  const misplaced = print.has(plain.sql, 'misplaced');
  const savesTooLittle = (left: number) => !misplaced && left * 4 > weight * 3;
  const values = operands.flatMap((operand) => {
    // Reuse the planned value, because planning the operand again would double the work at each nesting level.
    const of =
      precomputed.planned.get(operand) ?? undefinedIfRejected(() => planExpression(operand, scope));
    return of === undefined ? [] : [{ operand, of }];
  });
  if (savesTooLittle(sumOf(values.map(({ of }) => of.sql.weight)))) return plain;
  const chosen = values.filter(
    ({ of }) => of.variants === undefined && needsColumn(of.sql, misplaced),
  );
  if (chosen.length === 0) return plain;
  const planned = precomputed.transaction(() => {
    for (const { operand, of } of chosen) precomputed.add(operand, of);
    const result = plan();
    const left = result.sql.weight + sumOf(chosen.map(({ of }) => of.sql.weight));
    return savesTooLittle(left) ? undefined : result;
  });
  return planned ?? plain;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function needsColumn(of: Sql, misplaced: boolean): boolean {
  if (!misplaced) return of.weight >= minOperandWeight;
  return print.has(of, 'select') || print.has(of, 'lambda') || print.has(of, 'volatile');
}

function undefinedIfRejected(plan: () => Value): Value | undefined {
  try {
    return plan();
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}

/** Returns whether a value may be NaN. Only computed values may be NaN, because datasets don't store it. */
export function mayBeNaN(node: BoundExpression): boolean {
  return !(node.kind === 'column' && node.column?.dataset !== undefined);
}

export function dynamicConstant(of: DynamicConstant): Value {
  if (of === null) return { ...nullOf('dynamic'), constant: { kind: 'dynamic', value: null } };
  const json = sql`${print.text(toJson(of))}::JSON`;
  const shape = Array.isArray(of) ? 'array' : typeof of === 'object' ? 'map' : undefined;
  const plain = { ...value(json, 'dynamic'), constant: { kind: 'dynamic', value: of } as const };
  return shape === undefined ? plain : { ...plain, shape };
}

/** Converts a constant to JSON text. Keeps all digits of big integers. */
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

/** Returns the JSON pointer of an object member, with `~` and `/` escaped. */
export function pointerOf(key: Value): Sql {
  const known = scalarOf(key);
  return typeof known === 'string' ? pointerTo(known) : sql`apl.pointer(${as(key, 'string')})`;
}

export function pointerTo(name: string): Sql {
  return print.text(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}
