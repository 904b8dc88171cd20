/** Query parameters and the request's variables. A variable's value overrides the default of the declared parameter. */
import type { BoundExpression, BoundQuery, DynamicConstant } from '../../../language/src/index.ts';
import { dynamicConstant, planAs, planOperand } from './expressions.ts';
import { outOfRangeTime } from './outOfRange.ts';
import { planWithoutRows } from './precompute.ts';
import type { Planning, Scope } from './scope.ts';
import * as print from './sql.ts';
import { constant, convert, nullOf, type Value, type ValueType, valueType } from './values.ts';

/** Returns parameters and variables as values, by name. An undeclared variable keeps the type of its JSON value. */
export function planParameters(bound: BoundQuery, planning: Planning): Map<string, Value> {
  const variables = planning.context.variables ?? {};
  const values = new Map<string, Value>();
  for (const [name, sent] of Object.entries(variables)) values.set(name, sentValue(sent));
  for (const { name, type, defaultValue } of bound.parameters) {
    const wanted = valueType(type);
    const sent = Object.hasOwn(variables, name) ? values.get(name) : undefined;
    const value =
      (sent && (outOfRangeTime(sent, wanted) ?? convert(sent, wanted))) ??
      (defaultValue &&
        planWithoutRows(planning, (scope) => planDefault(defaultValue, wanted, scope))) ??
      nullOf(wanted);
    values.set(name, value);
  }
  return values;
}

function planDefault(node: BoundExpression, wanted: ValueType, scope: Scope): Value {
  const of = planOperand(node, scope);
  if (of.type === wanted) return of;
  return outOfRangeTime(of, wanted) ?? planAs(node, wanted, scope);
}

function sentValue(sent: unknown): Value {
  switch (typeof sent) {
    case 'string':
      return constant(sent, 'string');
    case 'boolean':
      return constant(sent, 'bool');
    case 'bigint':
      return print.isLong(sent) ? constant(sent, 'long') : constant(Number(sent), 'real');
    case 'number':
      return Number.isSafeInteger(sent) ? constant(BigInt(sent), 'long') : constant(sent, 'real');
    default:
      return dynamicConstant((sent ?? null) as DynamicConstant);
  }
}
