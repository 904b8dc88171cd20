/** Fills points without a value as a person has chosen. */
import type { MissingValues } from '../../../charts/chart.ts';

/** Changes `values` in place; `NaN` is a point without a value. */
export function fillMissing(values: Float64Array, times: Float64Array, how: MissingValues): void {
  if (how === 'zero') {
    for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) values[at] = 0;
  } else if (how !== 'gap') {
    let known = -1;
    for (let at = 0; at < values.length; at++) {
      if (!Number.isNaN(values[at])) {
        if (how === 'linear' && known >= 0) between(values, times, known, at);
        known = at;
      } else if (how === 'carry' && known >= 0) values[at] = values[known] as number;
    }
  }
}

/** Puts the values between two known ones on a straight line. */
function between(values: Float64Array, times: Float64Array, left: number, right: number): void {
  const [from, to] = [values[left] as number, values[right] as number];
  const start = times[left] as number;
  const width = (times[right] as number) - start;
  for (let at = left + 1; at < right; at++) {
    const share = ((times[at] as number) - start) / width;
    values[at] = from * (1 - share) + to * share;
  }
}
