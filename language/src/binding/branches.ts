/** Checks that the result values of `iff` and `case` have compatible types. */
import type { FunctionRow } from '../catalog/types.ts';
import { type Binder, report } from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { comparable, describeType, isCertain } from './types.ts';

/** Returns the result arguments of `iff(condition, a, b)` or `case(condition, a, …, b)`: `a`, …, `b`. */
export function branchesOf(args: readonly BoundExpression[]): readonly BoundExpression[] {
  const last = args.length - 1;
  return args.filter((_, index) => index % 2 === 1 || index === last);
}

export function checkBranches(
  row: FunctionRow,
  args: readonly BoundExpression[],
  binder: Binder,
): void {
  const [first, ...others] = branchesOf(args).filter(({ type }) => isCertain(type));
  const odd = others.find(({ type }) => first !== undefined && !comparable(first.type, type));
  if (first === undefined || odd === undefined) return;
  report(binder, 'branch-type', odd, {
    name: `${row.name}()`,
    expected: describeType(first.type),
    actual: describeType(odd.type),
    hint: first.type === 'string' ? ' Convert it with tostring().' : '',
  });
}
