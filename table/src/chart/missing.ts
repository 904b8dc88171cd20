/** Fills missing values of a series as the user has chosen. */
import type { MissingValues } from './chart.ts';

/**
 * Replaces `NaN` in place. Only `zero` fills leading gaps. Returns the missing count and the filled indexes, ascending.
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
    // Don't update `known`, so that it stays the index of the last value in the answer.
    else if (how === 'carry' && known >= 0) values[at] = values[known] as number;
  }
  return {
    missing: absent.length,
    filled: absent.filter((at) => !Number.isNaN(values[at])),
  };
}

function interpolate(values: Float64Array, times: Float64Array, left: number, right: number): void {
  const [from, to] = [values[left] as number, values[right] as number];
  const start = times[left] as number;
  const width = (times[right] as number) - start;
  for (let at = left + 1; at < right; at++) {
    const share = ((times[at] as number) - start) / width;
    values[at] = from * (1 - share) + to * share;
  }
}
