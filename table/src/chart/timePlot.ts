/** The series and times of a chart over time, without the values. */

import type { LongTask } from '../rowSource.ts';
import { type Bins, binsOf } from './bins.ts';
import type { ChartPoint } from './chart.ts';
import { type ChartContext, hasBins } from './context.ts';
import { seriesKey } from './measures.ts';
import { readPoints } from './points.ts';
import { type Slot, type Sorted, sortedSlots, textAt } from './series.ts';

/** The maximum number of values for which all series are drawn at common times. */
const sharedValuesMax = 20_000_000;

export interface DrawnSlot {
  readonly slot: Slot;
  readonly measure: number;
  readonly key: string;
}

/** The data retained after drawing, to look up the exact values under the pointer. */
export interface TimePlot {
  readonly sorted: Sorted;
  readonly drawn: readonly DrawnSlot[];
  readonly bins: Bins;
  /** Whether all series are drawn at the common times in `bins`. */
  readonly isShared: boolean;
  readonly leftOut: number;
}

export async function timePlot(context: ChartContext): Promise<TimePlot> {
  const { table, request, task } = context;
  const areBins = hasBins(context);
  const points = await readPoints(table, { ...request, areEvents: !areBins }, task);
  const sorted = await sortedSlots(points, request.maxSeries, task);
  const { measures } = points;
  const drawn: DrawnSlot[] = [];
  let leftOut = 0;
  for (const slot of sorted.slots) {
    for (const [measure, { combining }] of measures.entries()) {
      // Leave out folded series that can't be added, and measures beyond the limit.
      const isFoldable = slot.group !== undefined || combining === 'sum';
      if (!isFoldable || drawn.length > request.maxSeries) leftOut += slot.groups;
      else drawn.push({ slot, measure, key: seriesKey(points, slot.group, measure) });
    }
  }
  const times = await allTimes(drawn, task);
  const bins = await binsOf(times, context, areBins);
  const isShared =
    (drawn.length <= 1 || areBins || bins.size !== undefined || request.stacked) &&
    bins.times.length * drawn.length <= sharedValuesMax;
  return { sorted, drawn, bins, isShared, leftOut };
}

/** Returns the distinct times of all slots in ascending order. */
async function allTimes(drawn: readonly DrawnSlot[], task: LongTask): Promise<Float64Array> {
  // Merge in pairs, so that each time is copied only a few times.
  let lists = [...new Set(drawn.map(({ slot }) => slot))].map(({ times }) => times);
  while (lists.length > 1) {
    const merged: Float64Array[] = [];
    for (let at = 0; at < lists.length; at += 2) {
      const [left, right] = [lists[at] as Float64Array, lists[at + 1]];
      merged.push(right === undefined ? left : union(left, right));
      if (task.due) await task.pause(0, 0);
    }
    lists = merged;
  }
  return lists[0] ?? new Float64Array(0);
}

function union(left: Float64Array, right: Float64Array): Float64Array {
  const result = new Float64Array(left.length + right.length);
  let count = 0;
  for (let l = 0, r = 0; l < left.length || r < right.length; ) {
    const a = left[l] ?? Number.POSITIVE_INFINITY;
    const b = right[r] ?? Number.POSITIVE_INFINITY;
    result[count++] = Math.min(a, b);
    if (a <= b) l++;
    if (b <= a) r++;
  }
  return result.slice(0, count);
}

/** Returns the exact values at the chart's time that is nearest to `time`. */
export function pointNear({ sorted, drawn, bins }: TimePlot, time: number): ChartPoint {
  const { points } = sorted;
  const near = nearest(bins.times, time);
  const values: Record<string, string | null> = {};
  let text: string | undefined;
  for (const { slot, measure, key } of drawn) {
    const run = near === undefined ? -1 : lastUntil(slot.times, near);
    const hasTime = run >= 0 && slot.times[run] === near;
    values[key] = hasTime ? textAt(sorted, slot, run, measure) : null;
    if (hasTime) text ??= points.timeText(slot.points[slot.starts[run] as number] as number);
  }
  return { time: text ?? (near === undefined ? '' : new Date(near).toISOString()), values };
}

/** Returns the index of the last time at or before `time`; -1 if all times are later. */
function lastUntil(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the nearest time, or the earlier of two equally near times; undefined if there are no times. */
function nearest(times: Float64Array, time: number): number | undefined {
  const at = lastUntil(times, time);
  const [before, after] = [times[at], times[at + 1]];
  if (before === undefined || after === undefined) return before ?? after;
  return time - before <= after - time ? before : after;
}
