/**
 * The names and values of timespan units. The documentation is inconsistent, so the common names of each unit are
 * accepted.
 */

const second = 1_000_000_000n;

const unitRows: readonly (readonly [nanoseconds: bigint, ...names: string[]])[] = [
  [604_800n * second, 'w', 'week', 'weeks'],
  [86_400n * second, 'd', 'day', 'days'],
  [3_600n * second, 'h', 'hr', 'hrs', 'hour', 'hours'],
  [60n * second, 'm', 'min', 'mins', 'minute', 'minutes'],
  [second, 's', 'sec', 'secs', 'second', 'seconds'],
  [1_000_000n, 'ms', 'milli', 'millis', 'millisecond', 'milliseconds'],
  // Both the micro sign and the Greek letter mu mean micro.
  [1_000n, 'us', '\u00b5s', '\u03bcs', 'micro', 'micros', 'microsecond', 'microseconds'],
  [100n, 'tick', 'ticks'],
  [1n, 'ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds'],
];

/** Nanoseconds by unit name. */
export const timespanUnits: ReadonlyMap<string, bigint> = new Map(
  unitRows.flatMap(([nanoseconds, ...names]) => names.map((name) => [name, nanoseconds] as const)),
);

/** Returns a timespan literal such as `90m`, in the largest unit up to days that avoids a fraction. */
export function timespanText(nanoseconds: bigint): string {
  for (const [unit, name] of unitRows) {
    if (name !== 'w' && nanoseconds % unit === 0n) return `${nanoseconds / unit}${name}`;
  }
  return `${nanoseconds}ns`;
}
