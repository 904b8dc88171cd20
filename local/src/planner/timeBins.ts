/** The size of a time bin: the constant argument of `bin`, or a size that `bin_auto` derives from the query's range. */
import type { BoundExpression } from '../../../language/src/index.ts';
import { planExpression } from './expressions.ts';
import type { PlanContext } from './plan.ts';
import type { Scope } from './scope.ts';
import { scalarOf } from './values.ts';

const second = 1_000_000_000n;
const minute = 60n * second;
const hour = 60n * minute;
const day = 24n * hour;

/** Bin sizes that are easy to read on a chart's axis. */
const sizes: readonly bigint[] = [
  1n,
  1000n,
  1_000_000n,
  10_000_000n,
  100_000_000n,
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((n) => n * second),
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((n) => n * minute),
  ...[1n, 2n, 3n, 6n, 12n].map((n) => n * hour),
  ...[1n, 2n, 7n, 14n, 30n, 90n, 180n, 365n].map((n) => n * day),
];

/** The default number of bins. The service was observed to divide an hour into bins of 30 seconds. */
const defaultGroups = 120n;

/**
 * Returns the smallest size that makes at most the requested or default number of bins. Beyond a year, sizes are
 * multiples of a day.
 */
export function autoBinSize(context: PlanContext): bigint {
  const wanted = context.maxBinAutoGroups;
  const groups = wanted === undefined || wanted < 1 ? defaultGroups : BigInt(Math.floor(wanted));
  const length = context.range.end - context.range.start;
  return sizes.find((size) => size * groups >= length) ?? (length / groups / day + 1n) * day;
}

/** Returns the size of a call's bins, or undefined if the size isn't a positive constant. */
export function binSize(
  call: BoundExpression & { kind: 'call' },
  scope: Scope,
): bigint | undefined {
  if (call.name === 'bin_auto') return autoBinSize(scope.planning.context);
  const [, size] = call.arguments;
  if (size === undefined) return undefined;
  const known = scalarOf(planExpression(size, scope));
  return typeof known === 'bigint' && known > 0n ? known : undefined;
}
