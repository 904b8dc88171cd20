/** The times in a chart: its series' times, and empty bins that the service left out. */
import { timeOfText } from '../columns/timeValues.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import type { PartialBins, TimeSeriesData } from './chart.ts';
import type { ChartContext } from './context.ts';

/** The maximum number of added bins: `binsPerTime` per existing bin, plus `moreBins`. */
const binsPerTime = 10;
const moreBins = 2_000;
/** If times have more distinct steps than this, they aren't bins. */
const stepsMax = 1_000;

export interface Bins {
  /** The times in ascending order. */
  readonly times: Float64Array;
  /** The bin length in milliseconds; absent if rows aren't bins of equal length. */
  readonly size?: number;
  readonly range: Pick<TimeSeriesData, 'from' | 'to'>;
  readonly partial: PartialBins;
}

/** Adds missing bins to ascending, distinct `times`. `areBins`: whether rows summarize bins instead of being events. */
export async function binsOf(
  times: Float64Array,
  { described: { fields, range, buckets }, request, task }: ChartContext,
  areBins: boolean,
): Promise<Bins> {
  const from = timeOfText(range?.start);
  const to = timeOfText(range?.end);
  const known =
    buckets?.size !== undefined &&
    buckets.size > 0 &&
    buckets.field === fields[request.time ?? -1]?.name
      ? buckets.size / 1e6
      : undefined;
  const size = known ?? (await deducedStep(times, areBins, task));
  const ends = { ...(!Number.isNaN(from) && { from }), ...(!Number.isNaN(to) && { to }) };
  const whole = { range: ends, partial: { first: false, last: false } };
  if (size === undefined || times.length === 0) return { times, ...whole };
  if (!(await areAligned(times, size, task)))
    return { times, ...whole, ...(known !== undefined && { size: known }) };
  const filled = withMissing(times, size, areBins ? from : Number.NaN, areBins ? to : Number.NaN);
  const [first, last] = [filled[0] as number, filled[filled.length - 1] as number];
  return {
    times: filled,
    size,
    range: ends,
    partial: {
      first: areBins && first < from,
      // A bin that begins at the end of the range contains at most that instant's events, so it is partial.
      last: areBins && to < last + size,
    },
  };
}

/** Returns the most frequent step between times; for events, only if at least half of the steps have this length. */
async function deducedStep(
  times: Float64Array,
  areBins: boolean,
  task: LongTask,
): Promise<number | undefined> {
  if (times.length < 3) return undefined;
  const counts = new Map<number, number>();
  await inSlices(times.length, task, (from, to) => {
    for (let at = Math.max(1, from); at < to && counts.size <= stepsMax; at++) {
      const step = rounded((times[at] as number) - (times[at - 1] as number));
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  });
  if (counts.size > stepsMax) return undefined;
  let best: number | undefined;
  let most = 0;
  for (const [step, count] of counts) {
    if (count > most || (count === most && step < (best as number))) {
      best = step;
      most = count;
    }
  }
  return areBins || most * 2 >= times.length - 1 ? best : undefined;
}

/** Rounds milliseconds to whole microseconds, because differences of doubles are inexact. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1e3) / 1e3;
}

async function areAligned(times: Float64Array, size: number, task: LongTask): Promise<boolean> {
  const first = times[0] as number;
  let isAligned = true;
  await inSlices(times.length, task, (from, to) => {
    for (let at = from; at < to && isAligned; at++) {
      const steps = ((times[at] as number) - first) / size;
      isAligned = Math.abs(steps - Math.round(steps)) * size <= 1e-3;
    }
  });
  return isAligned;
}

/** Adds the missing bins between the times and up to the range's bounds, unless there are too many. */
function withMissing(times: Float64Array, size: number, from: number, to: number): Float64Array {
  const first = times[0] as number;
  const last = times[times.length - 1] as number;
  const most = times.length * binsPerTime + moreBins;
  const inner = Math.round((last - first) / size) + 1;
  if (inner > most) return times;
  // The numbers of missing bins before and after the times that overlap the range. The range's end is exclusive.
  const before = Number.isNaN(from) ? 0 : Math.max(0, Math.ceil((first - from) / size));
  const after = Number.isNaN(to) ? 0 : Math.max(0, Math.ceil((to - last) / size) - 1);
  const withEnds = before + inner + after <= most;
  const start = withEnds ? before : 0;
  const result = new Float64Array(inner + (withEnds ? before + after : 0));
  for (let at = 0; at < result.length; at++) result[at] = rounded(first + (at - start) * size);
  // Overwrite computed times with the answer's exact times.
  for (const time of times) result[Math.round((time - first) / size) + start] = time;
  return result;
}
