/**
 * Constant times and timespans that DuckDB can't store. Comparisons and arithmetic with constants accept them, so that
 * `_time < datetime(9999-12-31)` works. Everywhere else, an out-of-range literal is an error, and an out-of-range
 * computed constant is null.
 */
import { type BoundExpression, parseDatetime } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import * as print from './sql.ts';
import { constant, nullOf, scalarOf, type Value, type ValueType } from './values.ts';

type Origin = NonNullable<Value['outOfRange']>;
type Timed = 'datetime' | 'timespan';

/** The maximum magnitude of out-of-range constants, in nanoseconds, so that their sums fit DuckDB's 128 bits. */
const maxMagnitude = 2n ** 120n;

export function timeConstant(nanoseconds: bigint, type: Timed, origin: Origin): Value {
  const fits = type === 'datetime' ? print.isTime(nanoseconds) : print.isLong(nanoseconds);
  if (fits) return constant(nanoseconds, type);
  const near = nanoseconds > maxMagnitude ? maxMagnitude : nanoseconds;
  const value = near < -maxMagnitude ? -maxMagnitude : near;
  const sql = type === 'datetime' ? print.datetime(value) : print.bareLong(value);
  return { sql, type, constant: { kind: 'scalar', value }, outOfRange: origin };
}

export function outOfRangeTime(of: Value, type: ValueType): Value | undefined {
  const text = type === 'datetime' && of.type === 'string' ? scalarOf(of) : undefined;
  const nanoseconds = typeof text === 'string' ? parseDatetime(text) : undefined;
  if (nanoseconds === undefined || print.isTime(nanoseconds)) return undefined;
  return timeConstant(nanoseconds, 'datetime', 'computed');
}

/** Returns the origin of a computed value. A value computed from an out-of-range literal counts as written. */
export function originOf(values: readonly Value[]): Origin {
  return values.some(({ outOfRange }) => outOfRange === 'written') ? 'written' : 'computed';
}

/** Rejects an out-of-range literal, and replaces an out-of-range computed value with null. */
export function inRange(of: Value, node: BoundExpression): Value {
  if (of.outOfRange === undefined) return of;
  if (of.outOfRange === 'computed') return nullOf(of.type);
  throw new PlanError('invalid-argument', node, problems[of.type as Timed]);
}

const problems: Readonly<Record<Timed, string>> = {
  datetime: 'The time is outside the supported range of 1677-09-22 to 2262-04-11.',
  timespan: 'The timespan exceeds the supported maximum of 106,751 days.',
};
