/**
 * Times and timespans that are known while planning and are out of the range that can be stored. Comparisons
 * take them, so that `_time < datetime(9999-12-31)` means what it says. Nothing else does: a literal is refused
 * and the result of a computation is null, as it is for a row.
 */
import { type BoundExpression, parseDatetime } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import * as print from './sql.ts';
import { constant, nullOf, scalarOf, type Value } from './values.ts';

type Origin = NonNullable<Value['beyond']>;
type Timed = 'datetime' | 'timespan';

/** Nanoseconds further away than this are as far: they stay within DuckDB's 128 bits, sums included. */
const farthest = 2n ** 120n;

/** A time or timespan of any number of nanoseconds. */
export function timeConstant(nanoseconds: bigint, type: Timed, origin: Origin): Value {
  const fits = type === 'datetime' ? print.isTime(nanoseconds) : print.isLong(nanoseconds);
  if (fits) return constant(nanoseconds, type);
  const near = nanoseconds > farthest ? farthest : nanoseconds;
  const value = near < -farthest ? -farthest : near;
  const sql = type === 'datetime' ? print.datetime(value) : print.bareLong(value);
  return { sql, type, constant: { kind: 'scalar', value }, beyond: origin };
}

/** The time that a constant text is, where it is out of range; undefined for everything else. */
export function timeBeyond(of: Value): Value | undefined {
  const text = of.type === 'string' ? scalarOf(of) : undefined;
  const nanoseconds = typeof text === 'string' ? parseDatetime(text) : undefined;
  if (nanoseconds === undefined || print.isTime(nanoseconds)) return undefined;
  return timeConstant(nanoseconds, 'datetime', 'computed');
}

/** The origin of what is computed from values, of which some are out of range. */
export function originOf(values: readonly Value[]): Origin {
  return values.some(({ beyond }) => beyond === 'written') ? 'written' : 'computed';
}

/**
 * A value as anything but an operand of a comparison.
 * @throws PlanError where the query writes a time or timespan that is out of range.
 */
export function inRange(of: Value, node: BoundExpression): Value {
  if (of.beyond === undefined) return of;
  if (of.beyond === 'computed') return nullOf(of.type);
  throw new PlanError('invalid-argument', node, problems[of.type as Timed]);
}

const problems: Readonly<Record<Timed, string>> = {
  datetime: 'The time is outside the supported range of 1677-09-22 to 2262-04-11.',
  timespan: 'The timespan exceeds the supported maximum of 106,751 days.',
};
