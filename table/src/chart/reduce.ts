/** Reduces series for the screen: keeps each time span's first, least, greatest and last point. */
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';

const pointsPerSpan = 4;

/** Returns the indexes of the times to keep for stacked series: extremes of the sum per span, and of each series. */
export async function reducedTogether(
  times: Float64Array,
  series: readonly Float64Array[],
  maxPoints: number,
  task: LongTask,
): Promise<Uint32Array> {
  const sums = new Float64Array(times.length).fill(Number.NaN);
  const kept = new Set<number>();
  for (const values of series) {
    let [min, max] = [-1, -1];
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number;
      if (Number.isNaN(value)) continue;
      sums[at] = Number.isNaN(sums[at]) ? value : (sums[at] as number) + value;
      if (min < 0 || value < (values[min] as number)) min = at;
      if (max < 0 || value > (values[max] as number)) max = at;
    }
    if (min >= 0) kept.add(min).add(max);
    if (task.due) await task.pause(0, series.length);
  }
  for (const at of await reducedIndexes(times, sums, maxPoints - kept.size, task)) kept.add(at);
  return Uint32Array.from(kept).sort();
}

/**
 * Returns the indexes of each equal time span's first, least, greatest and last point, ascending. If `maxPoints` is at
 * least 4, there are at most `maxPoints` indexes. `NaN` marks a point without a value.
 */
export async function reducedIndexes(
  times: Float64Array,
  values: Float64Array,
  maxPoints: number,
  task: LongTask,
): Promise<Uint32Array> {
  const count = Math.max(1, Math.floor(maxPoints / pointsPerSpan));
  const start = times[0] as number;
  const width = ((times[times.length - 1] as number) - start) / count || 1;
  const kept: number[] = [];
  let span = -1;
  let entered = 0;
  let [first, min, max, last] = [-1, -1, -1, -1];
  const leave = () => {
    // Keep one point of a span without values, so that the span remains a gap.
    if (span >= 0 && first < 0) kept.push(entered);
    else if (span >= 0)
      kept.push(...new Set([first, min, max, last].sort((left, right) => left - right)));
  };
  await inSlices(times.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const here = Math.min(count - 1, Math.floor(((times[at] as number) - start) / width));
      if (here !== span) {
        leave();
        [span, entered, first] = [here, at, -1];
      }
      const value = values[at] as number;
      if (Number.isNaN(value)) continue;
      if (first < 0) [first, min, max] = [at, at, at];
      else if (value < (values[min] as number)) min = at;
      else if (value > (values[max] as number)) max = at;
      last = at;
    }
  });
  leave();
  return Uint32Array.from(kept);
}
