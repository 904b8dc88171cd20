/** Sorts points into series by time, one value per time. Small series are folded into one if values can be added. */

import { radixSort } from '../arrange/radix.ts';
import { ascending } from '../columns/growable.ts';
import { doubleKeys } from '../columns/sortKeys.ts';
import { isBeyondExact } from '../numberText.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import { TotalOfNumbers } from '../total.ts';
import type { Combining } from './fields.ts';
import type { Measure, Points } from './measures.ts';

/** The points of one group or of all folded groups, in ascending order of time. */
export interface Slot {
  /** The group's number; absent for the slot of folded groups. */
  readonly group: number | undefined;
  /** The number of groups in the slot. */
  readonly groups: number;
  /** The points sorted by time, then in display order. */
  readonly points: Uint32Array;
  /** The distinct times, and the index of each time's first point, followed by an end index. */
  readonly times: Float64Array;
  readonly starts: Uint32Array;
}

export interface Sorted {
  readonly points: Points;
  readonly slots: readonly Slot[];
}

/** Sorts points by slot and time. Points without times are left out. */
export async function sortedSlots(
  points: Points,
  maxSeries: number,
  task: LongTask,
): Promise<Sorted> {
  const groupsMax = Math.max(1, Math.floor(maxSeries / Math.max(1, points.measures.length)));
  const { kept, slots: slotOf, folded } = keptSlots(await magnitudes(points, task), groupsMax);
  const slotCount = kept.length + (folded > 0 ? 1 : 0);
  const { starts, points: bySlot } = await divided(points, slotOf, slotCount, task);
  const times = points.times ?? new Float64Array(points.count);
  const slots: Slot[] = [];
  for (let slot = 0; slot < slotCount; slot++) {
    const own = bySlot.subarray(starts[slot], starts[slot + 1]);
    const group = kept[slot];
    slots.push({
      group,
      groups: group === undefined ? folded : 1,
      ...(await runsOf(own, times, task)),
    });
    if (task.due) await task.pause(slot, slotCount);
  }
  return { points, slots };
}

export interface Divided {
  /** The index of each slot's first point, followed by an end index. */
  readonly starts: Uint32Array;
  /** The points sorted by slot, then by time, then in display order. */
  readonly points: Uint32Array;
}

/** Divides the points by slot, or by group if `slotOf` is undefined. */
export async function divided(
  points: Points,
  slotOf: Int32Array | undefined,
  slotCount: number,
  task: LongTask,
): Promise<Divided> {
  const byTime =
    points.times === undefined
      ? ascending(points.count)
      : await orderedByTime(points.times, points.count, task);
  const { groups } = points;
  const slots = slotOf ?? ascending(points.grouping.count);
  // Use a counting sort by slot, because it keeps the time order.
  const starts = new Uint32Array(slotCount + 1);
  await inSlices(byTime.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const slot = slots[groups[byTime[at] as number] as number] as number;
      starts[slot + 1] = (starts[slot + 1] as number) + 1;
    }
  });
  for (let slot = 0; slot < slotCount; slot++)
    starts[slot + 1] = (starts[slot + 1] as number) + (starts[slot] as number);
  const next = starts.slice();
  const bySlot = new Uint32Array(byTime.length);
  await inSlices(byTime.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const point = byTime[at] as number;
      const slot = slots[groups[point] as number] as number;
      const place = next[slot] as number;
      next[slot] = place + 1;
      bySlot[place] = point;
    }
  });
  return { starts, points: bySlot };
}

async function runsOf(
  points: Uint32Array,
  times: Float64Array,
  task: LongTask,
): Promise<Omit<Slot, 'group' | 'groups'>> {
  const starts = new Uint32Array(points.length + 1);
  const different = new Float64Array(points.length);
  let runs = 0;
  let before = Number.NaN;
  await inSlices(points.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const time = times[points[at] as number] as number;
      if (time === before) continue;
      before = time;
      different[runs] = time;
      starts[runs++] = at;
    }
  });
  starts[runs] = points.length;
  return { points, times: different.slice(0, runs), starts: starts.slice(0, runs + 1) };
}

async function orderedByTime(
  times: Float64Array,
  count: number,
  task: LongTask,
): Promise<Uint32Array> {
  const rows = ascending(count);
  let valid = 0;
  let isAscending = true;
  let before = Number.NEGATIVE_INFINITY;
  await inSlices(count, task, (from, to) => {
    for (let point = from; point < to; point++) {
      const time = times[point] as number;
      if (Number.isNaN(time)) continue;
      rows[valid++] = point;
      if (time < before) isAscending = false;
      before = time;
    }
  });
  const timed = rows.subarray(0, valid);
  return isAscending ? timed : await radixSort(timed, await doubleKeys(times, task), task);
}

/** Returns each group's sum of the first measure's absolute values, so that negative series are ranked too. */
async function magnitudes(points: Points, task: LongTask): Promise<Float64Array> {
  const sums = new Float64Array(points.grouping.count);
  const [values] = points.values;
  if (values === undefined) return sums;
  await inSlices(points.count, task, (from, to) => {
    for (let point = from; point < to; point++) {
      const value = values[point] as number;
      if (Number.isNaN(value)) continue;
      const group = points.groups[point] as number;
      sums[group] = (sums[group] as number) + Math.abs(value);
    }
  });
  return sums;
}

/** Returns the kept groups, greatest first, each group's slot (the last one if folded), and the folded count. */
export function keptSlots(sums: Float64Array, max: number) {
  const kept = greatest(sums, max);
  const slots = new Int32Array(sums.length).fill(kept.length);
  for (const [slot, group] of kept.entries()) slots[group] = slot;
  return { kept, slots, folded: sums.length - kept.length };
}

/**
 * Returns the indexes of the `max` greatest values, greatest first, preferring the first of equal values. `exact`
 * distinguishes integers beyond 2^53 whose doubles are equal.
 */
export function greatest(
  values: Float64Array,
  max: number,
  exact?: (index: number) => number | bigint,
): number[] {
  const kept: number[] = [];
  const isGreater = (left: number, right: number): boolean => {
    const [a, b] = [values[left] as number, values[right] as number];
    if (a !== b || exact === undefined) return a > b;
    return isBeyondExact(a) && exact(left) > exact(right);
  };
  for (let index = 0; index < values.length; index++) {
    if (kept.length === max && !isGreater(index, kept[max - 1] as number)) continue;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isGreater(index, kept[middle] as number)) high = middle;
      else low = middle + 1;
    }
    kept.splice(low, 0, index);
    if (kept.length > max) kept.pop();
  }
  return kept;
}

/** Returns the value at each of a slot's times; `NaN` if there is none. */
export async function valuesOf(
  { points }: Sorted,
  slot: Slot,
  measure: number,
  task: LongTask,
): Promise<Float64Array> {
  const result = new Float64Array(slot.times.length);
  const values = points.values[measure] as Float64Array;
  const { atOneTime } = points.measures[measure] as Measure;
  await inSlices(result.length, task, (from, to) => {
    for (let run = from; run < to; run++) {
      const [first, end] = [slot.starts[run] as number, slot.starts[run + 1] as number];
      result[run] =
        end === first + 1
          ? (values[slot.points[first] as number] as number)
          : combinedValue(points, slot.points, first, end, measure, atOneTime);
    }
  });
  return result;
}

/** Combines the values of the points `[from, to)` in a list into the nearest double; `NaN` if there are no values. */
export function combinedValue(
  points: Points,
  list: Uint32Array,
  from: number,
  to: number,
  measure: number,
  combining: Combining,
): number {
  const values = points.values[measure] as Float64Array;
  let merged = Number.NaN;
  let greatestMagnitude = 0;
  for (let at = from; at < to; at++) {
    const value = values[list[at] as number] as number;
    if (Number.isNaN(value)) continue;
    greatestMagnitude = Math.max(greatestMagnitude, Math.abs(value));
    merged = Number.isNaN(merged) ? value : combine(combining, merged, value);
  }
  // If large numbers cancel out, the sum of their doubles is only a rounding error, so add the exact values.
  if (combining === 'sum' && to - from > 1 && isBeyondExact(greatestMagnitude))
    return Number(textOfPoints(points, list.subarray(from, to), measure, combining) ?? Number.NaN);
  return merged;
}

export function combine(combining: Combining, left: number, right: number): number {
  if (combining === 'sum') return left + right;
  if (combining === 'min') return Math.min(left, right);
  return combining === 'max' ? Math.max(left, right) : right;
}

/** Returns the exact text of the value at one of a slot's times; null if there is no value. */
export function textAt(
  { points }: Sorted,
  slot: Slot,
  run: number,
  measure: number,
): string | null {
  const from = slot.starts[run] as number;
  const to = slot.starts[run + 1] as number;
  const { atOneTime } = points.measures[measure] as Measure;
  return textOfPoints(points, slot.points.subarray(from, to), measure, atOneTime);
}

/** Returns the combined value of several points as exact text; null if there is no value. */
export function textOfPoints(
  points: Points,
  several: Iterable<number>,
  measure: number,
  combining: Combining = (points.measures[measure] as Measure).combining,
): string | null {
  const values = points.values[measure] as Float64Array;
  const total = combining === 'sum' ? new TotalOfNumbers() : undefined;
  let best: number | undefined;
  let count = 0;
  for (const point of several) {
    if (Number.isNaN(values[point])) continue;
    count++;
    total?.add(points.exact(point, measure));
    if (best === undefined || combining === 'last' || combining === 'sum') best = point;
    else {
      const [known, other] = [points.exact(best, measure), points.exact(point, measure)];
      if (combining === 'min' ? other < known : other > known) best = point;
    }
  }
  if (best === undefined) return null;
  return count > 1 && total !== undefined ? (total.sum() as string) : points.text(best, measure);
}
