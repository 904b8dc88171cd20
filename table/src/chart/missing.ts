/** Fills the times at which a series has no value, as a person has chosen. */
import type { MissingValues } from './chart.ts';

/**
 * Changes `values` in place; `NaN` is a missing one. Nothing is carried or interpolated beyond known values. Returns
 * the number of missing values, and the indexes of filled ones, ascending.
 */
export function fillMissing(values: Float64Array, times: Float64Array, how: MissingValues) {
  const absent: number[] = [];
  let known = -1;
  for (let at = 0; at < values.length; at++) {
    if (!Number.isNaN(values[at])) {
      if (how === 'linear' && known >= 0) interpolate(values, times, known, at);
      known = at;
      continue;
    }
    absent.push(at);
    if (how === 'zero') values[at] = 0;
    // `known` stays the last value that was there.
    else if (how === 'carry' && known >= 0) values[at] = values[known] as number;
  }
  return {
    missing: absent.length,
    filled: absent.filter((at) => !Number.isNaN(values[at])),
  };
}

/** Puts the values between two known ones on a straight line. */
function interpolate(values: Float64Array, times: Float64Array, left: number, right: number): void {
  const [from, to] = [values[left] as number, values[right] as number];
  const start = times[left] as number;
  const width = (times[right] as number) - start;
  for (let at = left + 1; at < right; at++) {
    const share = ((times[at] as number) - start) / width;
    values[at] = from * (1 - share) + to * share;
  }
}
