/** A series' summary values as exact text, computed from the values at all times, including filled ones. */

import { numberCell } from '../columns/values.ts';
import { isBeyondExact } from '../numberText.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import { TotalOfNumbers } from '../total.ts';
import type { MissingValues, SeriesFigures } from './chart.ts';
import { type Slot, type Sorted, textAt } from './series.ts';

interface SlotValues {
  readonly slot: Slot;
  readonly measure: number;
  /** The answer's values at the slot's times. */
  readonly own: Float64Array;
  /** The drawn values at all times, and the indexes of filled values. */
  readonly values: Float64Array;
  readonly filled: readonly number[];
  readonly how: MissingValues;
}

/**
 * Returns a series' summary values. They include filled values, except for the total, which only adds the answer's
 * values. If only one of several values at a time is drawn, the summary still includes all of them.
 */
export async function figuresOf(
  sorted: Sorted,
  { slot, measure, own, values, filled, how }: SlotValues,
  task: LongTask,
): Promise<SeriesFigures> {
  const { points } = sorted;
  const total = new TotalOfNumbers();
  const isAdded = points.measures[measure]?.combining === 'sum';
  const all = points.values[measure] as Float64Array;
  // Count additive values once per time of the slot, and other values once per point.
  const count = isAdded ? own.length : slot.points.length;
  const double = (at: number): number =>
    (isAdded ? own[at] : all[slot.points[at] as number]) as number;
  const text = (at: number): string =>
    isAdded
      ? (textAt(sorted, slot, at, measure) as string)
      : points.text(slot.points[at] as number, measure);
  const isOne = (at: number): boolean =>
    !isAdded || slot.starts[at + 1] === (slot.starts[at] as number) + 1;
  const exact = (at: number): number | bigint => {
    const point = isAdded ? (slot.starts[at] as number) : at;
    return isOne(at) ? points.exact(slot.points[point] as number, measure) : numberCell(text(at));
  };
  /** Whether the double of a value is exact. The double of several added values has rounding errors. */
  const isExact = (at: number, value: number): boolean => isOne(at) && !isBeyondExact(value);
  let [min, max] = [-1, -1];
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  await inSlices(count, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const value = double(at);
      if (Number.isNaN(value)) continue;
      total.add(isExact(at, value) ? value : exact(at));
      // Compare exact text, because integers beyond 2^53 can differ although their doubles are equal.
      if (value < least || (isWide(value, least) && exact(at) < exact(min)))
        [min, least] = [at, value];
      if (value > greatest || (isWide(value, greatest) && exact(at) > exact(max)))
        [max, greatest] = [at, value];
    }
  });
  const sum = total.sum();
  await inSlices(filled.length, task, (from, to) => {
    for (let at = from; at < to; at++) total.add(values[filled[at] as number] as number);
  });
  const average = total.average();
  const last = own.findLastIndex((value) => !Number.isNaN(value));
  const answered: SeriesFigures = {
    points: total.count,
    ...(sum !== undefined && { total: sum }),
    ...(average !== undefined && { average }),
    ...(min >= 0 && { min: text(min), max: text(max) }),
    ...(last >= 0 && { last: textAt(sorted, slot, last, measure) as string }),
  };
  if (how !== 'zero' || filled.length === 0) return answered;
  // Only filled zeros can change extremes: other fill values repeat a value or are between two values.
  return {
    ...answered,
    total: sum ?? '0',
    min: min >= 0 && double(min) < 0 ? (answered.min as string) : '0',
    max: max >= 0 && double(max) > 0 ? (answered.max as string) : '0',
    ...(filled.at(-1) === values.length - 1 && { last: '0' }),
  };
}

function isWide(value: number, other: number): boolean {
  return value === other && isBeyondExact(value);
}
