/**
 * Arguments of functions that are a SELECT, such as a test against a table. DuckDB takes none inside TRY or a
 * lambda, and most functions are written with one of them, so such a function is planned over arguments that are
 * computed before it.
 */
import type { BoundExpression } from '../../../language/src/index.ts';
import { mayMisplaceSelect, overHeld } from './attempt.ts';
import { PlanError } from './errors.ts';
import { planExpression } from './expressions.ts';
import type { Scope } from './scope.ts';
import type { Sql } from './sql.ts';
import type { Value } from './values.ts';

type Call = BoundExpression & { kind: 'call' };

/** What was planned here, by scope: what stands inside of many calls would be planned anew for each of them. */
const planned = new WeakMap<Scope, Map<BoundExpression, Value>>();

/** Plans a call, over held arguments where it needs them. */
export function withHeldArguments(node: Call, scope: Scope, plan: (scope: Scope) => Value): Value {
  const known = planned.get(scope) ?? new Map<BoundExpression, Value>();
  const before = known.get(node);
  if (before !== undefined) return before;
  const plain = plan(scope);
  if (!mayMisplaceSelect(plain.sql) || plain.variants !== undefined) return plain;
  const args = node.arguments.flatMap((arg) => {
    const of = argumentValue(arg, scope);
    return of === undefined || of.variants !== undefined ? [] : [{ arg, of }];
  });
  const write = (...members: readonly Sql[]): Sql => {
    const { planning } = scope;
    const heldArguments = new Map(planning.heldArguments);
    for (const [i, { arg, of }] of args.entries()) {
      heldArguments.set(arg, { ...of, sql: members[i] as Sql });
    }
    const over = { ...scope, planning: { ...planning, heldArguments } };
    // What a function takes out of its arguments by itself is not planned anew at each level.
    planned.set(over, new Map(known));
    return plan(over).sql;
  };
  const sqls = args.map(({ of }) => of.sql);
  const result = { ...plain, sql: overHeld(sqls, write) ?? plain.sql };
  planned.set(scope, known.set(node, result));
  return result;
}

/** An argument as it stands; undefined where it is no value, such as a type. */
function argumentValue(node: BoundExpression, scope: Scope): Value | undefined {
  try {
    return planExpression(node, scope);
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}
