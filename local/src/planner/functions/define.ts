/** Defines the type of an entry in the function table, and helpers that define a simple function in one line. */

import type { BoundExpression } from '../../../../language/src/index.ts';
import { argumentError } from '../errors.ts';
import { planExpression, planOperand } from '../expressions.ts';
import { nullOnError } from '../nullOnError.ts';
import type { Scope } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import {
  arrayValue,
  as,
  convert,
  knownOf,
  mapValue,
  scalarOf,
  toDynamic,
  type Value,
  type ValueType,
  value,
} from '../values.ts';

export interface Call {
  readonly node: BoundExpression & { kind: 'call' };
  readonly args: readonly BoundExpression[];
  readonly scope: Scope;
}

export type PlanCall = (call: Call) => Value;

export type FunctionPlan =
  | PlanCall
  /** Why the function is unsupported, worded to follow "because". */
  | { readonly unsupported: string };

export function unsupported(reason: string): FunctionPlan {
  return { unsupported: reason };
}

/** Wraps a plan's SQL in TRY if that is safe, so that an error makes the value null. */
export function guarded(plan: PlanCall): PlanCall {
  return (call) => {
    const planned = plan(call);
    return { ...planned, sql: nullOnError(planned.sql) };
  };
}

/** A scalar type, or a dynamic value known to be an array or a map. */
type Result = ValueType | 'array' | 'map';

function result(text: Sql, type: Result): Value {
  if (type === 'array') return arrayValue(text);
  if (type === 'map') return mapValue(text);
  return value(text, type);
}

/**
 * Converts arguments to the types in `parameters`. `defaults` has the values of missing arguments. A string `body` is
 * the name of a macro that is called with all arguments.
 */
export function simple(
  parameters: readonly ValueType[],
  type: Result,
  body: string | ((...args: readonly Sql[]) => Sql),
  defaults: Readonly<Record<number, Sql>> = {},
): PlanCall {
  return (call) => {
    const args = parameters.map((parameter, i) => argument(call, i, parameter, defaults[i]));
    const write = typeof body === 'string' ? print.call.bind(undefined, body) : body;
    return result(write(...args), type);
  };
}

function argument(call: Call, i: number, type: ValueType, fallback: Sql | undefined): Sql {
  return fallback !== undefined && call.args[i] === undefined ? fallback : as(at(call, i), type);
}

export function values(call: Call): Value[] {
  return call.args.map((node) => planExpression(node, call.scope));
}

/** Plans an argument. Rejects the call if the argument is missing. */
export function at(call: Call, i: number): Value {
  const node = call.args[i];
  if (node !== undefined) return planExpression(node, call.scope);
  throw argumentError(call, i, `${call.node.name} requires another argument.`);
}

/** Plans an argument. Unlike a value from `at`, the value may be an out-of-range time or timespan. */
export function operandAt(call: Call, i: number): Value {
  const node = call.args[i];
  return node === undefined ? at(call, i) : planOperand(node, call.scope);
}

export function optionalAt(call: Call, i: number): Value | undefined {
  return call.args[i] === undefined ? undefined : at(call, i);
}

/** Plans a position or count in a string or array. `fallback` replaces a missing or null argument. */
export function positionAt(call: Call, i: number, fallback: bigint): Sql {
  const of = optionalAt(call, i);
  if (of === undefined) return print.long(fallback);
  const known = scalarOf(of);
  if (typeof known === 'bigint' && known < 2n ** 31n && known > -(2n ** 31n))
    return print.long(known);
  return sql`coalesce(apl.place(${as(of, 'long')}), ${print.long(fallback)})`;
}

/** Returns the string in a constant argument. Rejects the call if the argument isn't a constant string. */
export function constantText(call: Call, i: number, what: string): string {
  const known = knownOf(at(call, i));
  if (typeof known === 'string') return known;
  throw argumentError(call, i, `The ${what} of ${call.node.name} must be a constant string.`);
}

/** Returns the integer in a constant argument, or `fallback` for a missing argument. Rejects any other argument. */
export function constantLong(call: Call, i: number, what: string, fallback?: bigint): bigint {
  if (call.args[i] === undefined && fallback !== undefined) return fallback;
  const known = knownOf(convert(at(call, i), 'long'));
  if (typeof known === 'bigint') return known;
  throw argumentError(call, i, `The ${what} of ${call.node.name} must be a constant integer.`);
}

/** Returns whether a time is known not to precede 1970, so that integer division rounds it down. */
export function isRecent(call: Call, i: number): boolean {
  const time = call.args[i];
  const isEventTime =
    time?.kind === 'column' && time.name === '_time' && time.column?.dataset !== undefined;
  return isEventTime && call.scope.planning.context.range.start >= 0n;
}

/**
 * Returns SQL that is null if the result would be too large. Checks only results that combine several computed columns,
 * because such results may double in size with each stage. The SQL contains no lambda, so it can be used inside TRY.
 */
export function limitSize(call: Call, made: Sql): Sql {
  const sizes = call.args.flatMap((node) => {
    if (node.kind !== 'column' || node.column?.dataset !== undefined) return [];
    const of = planExpression(node, call.scope);
    const canGrow = of.variants === undefined && (of.type === 'string' || of.type === 'dynamic');
    return canGrow ? [sql`coalesce(strlen(${of.sql}), 0)`] : [];
  });
  if (sizes.length < 2) return made;
  const [first, ...others] = sizes as [Sql, ...Sql[]];
  const total = others.reduce((sum, size) => sql`${sum} + ${size}`, first);
  const macro = call.node.type === 'string' ? 'apl.bytes_together' : 'apl.array_bytes_together';
  return sql`CASE WHEN ${print.call(macro, total)} THEN ${made} END`;
}

/** Converts values to a common type: real for mixed numbers, JSON for other mixtures. Untyped nulls don't affect it. */
export function toCommonType(parts: readonly Value[]): { type: ValueType; parts: readonly Sql[] } {
  const known = parts.filter((part) => part.constant?.value !== null || part.type !== 'dynamic');
  const types = new Set(known.map((part) => part.type));
  const [first] = types;
  let type: ValueType = first ?? 'dynamic';
  if (types.size > 1)
    type = [...types].every((t) => t === 'long' || t === 'real') ? 'real' : 'dynamic';
  return { type, parts: parts.map((part) => as(part, type)) };
}

/** Returns SQL that tests for null, including a JSON null. */
export function isMissing(of: Value): Sql {
  if (of.type !== 'dynamic' || of.variants !== undefined) return sql`(${of.sql} IS NULL)`;
  return sql`(coalesce(json_type(${of.sql}), 'NULL') = 'NULL')`;
}

export function kindTest(of: Value, kind: Sql): Value {
  if (of.type !== 'dynamic') return value(sql`false`, 'bool');
  return value(sql`coalesce(json_type(${toDynamic(of).sql}) = ${kind}, false)`, 'bool');
}

/** Plans a test of a value's type. `kinds` lists the JSON types of accepted dynamic values. */
export function isA(types: readonly ValueType[], kinds: readonly string[]): FunctionPlan {
  return (call) => {
    const of = at(call, 0);
    if (of.type === 'dynamic') {
      const list = print.join(kinds.map(print.text));
      return value(sql`coalesce(json_type(${toDynamic(of).sql}) IN (${list}), false)`, 'bool');
    }
    return value(types.includes(of.type) ? sql`(${of.sql} IS NOT NULL)` : sql`false`, 'bool');
  };
}
