/** Finds bins at round times, such as whole minutes, hours or days, for axis labels. */

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28].map((count) => count * day),
];

/** Returns the indexes of at most `most` times at round steps, or none if no step matches the bins. */
export function evenTimes(
  times: readonly number[],
  bin: number,
  timeZone: 'utc' | 'local',
  most: number,
): ReadonlySet<number> {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  for (const step of steps) {
    if (step < bin || span / step > most) continue;
    const found = times.flatMap((time, index) => {
      const shift = timeZone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * minute;
      return (time - shift) % step === 0 ? [index] : [];
    });
    if (found.length > 1 && found.length <= most) return new Set(found);
  }
  return new Set();
}
