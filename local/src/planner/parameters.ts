/** Query parameters and the request's variables: what the request sends, else the declared default. */
import type { BoundQuery, DynamicConstant } from '../../../language/src/index.ts';
import { dynamicConstant, planExpression } from './expressions.ts';
import { type Planning, scopeOf } from './scope.ts';
import { constant, convert, nullOf, type Value, valueType } from './values.ts';

const nowhere = {
  relation: { kind: 'values', ids: [], rows: [] },
  columns: [],
  taken: new Set<string>(),
  order: [],
  implied: true,
} as const;

/** The value of every parameter. A variable that no parameter declares is one of the type it comes in. */
export function planParameters(bound: BoundQuery, planning: Planning): Map<string, Value> {
  const variables = planning.context.variables ?? {};
  const values = new Map<string, Value>();
  for (const [name, sent] of Object.entries(variables)) values.set(name, sentValue(sent));
  for (const { name, type, defaultValue } of bound.parameters) {
    const wanted = valueType(type);
    const sent = Object.hasOwn(variables, name) ? values.get(name) : undefined;
    if (sent !== undefined) values.set(name, convert(sent, wanted));
    else if (defaultValue === undefined) values.set(name, nullOf(wanted));
    else
      values.set(name, convert(planExpression(defaultValue, scopeOf(nowhere, planning)), wanted));
  }
  return values;
}

function sentValue(sent: unknown): Value {
  switch (typeof sent) {
    case 'string':
      return constant(sent, 'string');
    case 'boolean':
      return constant(sent, 'bool');
    case 'bigint':
      return constant(sent, 'long');
    case 'number':
      return Number.isSafeInteger(sent) ? constant(BigInt(sent), 'long') : constant(sent, 'real');
    default:
      // What came as JSON is null, a list or an object here.
      return dynamicConstant((sent ?? null) as DynamicConstant);
  }
}
