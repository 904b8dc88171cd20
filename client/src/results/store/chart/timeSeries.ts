/** Series over time: the greatest ones by themselves, all at the times of bins or each at its own times. */
import type {
  ChartPoint,
  ChartSeries,
  SeriesFigures,
  TimeSeriesData,
} from '../../../charts/chart.ts';
import { type Bins, binsOf } from './bins.ts';
import { type ChartContext, hasBins } from './context.ts';
import { figuresOf } from './figures.ts';
import { foldedKey, type Measure, seriesKey, seriesName } from './measures.ts';
import { fillMissing } from './missing.ts';
import { readPoints } from './points.ts';
import { reducedIndexes, reducedTogether } from './reduce.ts';
import { type Slot, type Sorted, sortedSlots, textAt, valuesOf } from './series.ts';

/** Series are drawn at common times unless that would take more values than this. */
const sharedValuesMax = 20_000_000;

export interface DrawnSlot {
  readonly slot: Slot;
  readonly measure: number;
  readonly key: string;
}

/** Everything of a time series but its values: kept for the points that are asked for under the pointer. */
export interface TimePlot {
  readonly sorted: Sorted;
  readonly drawn: readonly DrawnSlot[];
  readonly bins: Bins;
  /** Whether all series are drawn at the times of `bins`. */
  readonly isShared: boolean;
  readonly leftOut: number;
}

export async function timePlot(context: ChartContext): Promise<TimePlot> {
  const { table, described, request, task } = context;
  const areBins = hasBins(context);
  const points = await readPoints(table, { ...request, areEvents: !areBins }, task);
  const sorted = await sortedSlots(points, request.maxSeries, task);
  const { measures } = points;
  const drawn: DrawnSlot[] = [];
  let leftOut = 0;
  for (const slot of sorted.slots) {
    for (const [measure, { combining }] of measures.entries()) {
      // Folded series that cannot be added are left out, and so are measures beyond the bound.
      const isFoldable = slot.group !== undefined || combining === 'sum';
      if (!isFoldable || drawn.length > request.maxSeries) leftOut += slot.groups;
      else {
        const { group } = slot;
        const key =
          group === undefined ? foldedKey(points, measure) : seriesKey(points, group, measure);
        drawn.push({ slot, measure, key });
      }
    }
  }
  const times = await allTimes(drawn, task);
  const timeColumn = described.fields[request.time ?? -1]?.name;
  const bins = await binsOf(times, described, { areBins, timeColumn }, task);
  const isShared =
    (drawn.length <= 1 || areBins || bins.size !== undefined || request.stacked) &&
    bins.times.length * drawn.length <= sharedValuesMax;
  return { sorted, drawn, bins, isShared, leftOut };
}

/** The different times of all slots, ascending. */
async function allTimes(
  drawn: readonly DrawnSlot[],
  task: ChartContext['task'],
): Promise<Float64Array> {
  // Merged by pairs, so that each time is moved a few times only.
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

/** A series at the times at which it is drawn. */
interface Prepared {
  readonly drawn: DrawnSlot;
  readonly figures: SeriesFigures;
  readonly times: Float64Array;
  values: Float64Array;
}

export async function timeSeries(context: ChartContext, plot: TimePlot): Promise<TimeSeriesData> {
  const { request, task } = context;
  const { sorted, bins, isShared, leftOut } = plot;
  const prepared: Prepared[] = [];
  for (const drawn of plot.drawn) {
    const { slot, measure } = drawn;
    const own = await valuesOf(sorted, slot, measure, task);
    const figures = await figuresOf(sorted, slot, measure, own, task);
    const times = isShared ? bins.times : slot.times;
    const values = isShared ? placed(own, slot.times, times) : own;
    fillMissing(values, times, request.missing);
    prepared.push({ drawn, figures, times, values });
    if (task.due) await task.pause(prepared.length, plot.drawn.length);
  }
  let shared: Float64Array = isShared ? bins.times : new Float64Array(0);
  let reduced = false;
  const isReducedTogether = isShared && request.stacked && shared.length > request.maxPoints;
  if (isReducedTogether) {
    const columns = prepared.map(({ values }) => values);
    const kept = await reducedTogether(shared, columns, request.maxPoints, task);
    for (const series of prepared) series.values = picked(series.values, kept);
    shared = picked(shared, kept);
    reduced = true;
  }
  const series: ChartSeries[] = [];
  for (const { drawn, figures, times, values } of prepared) {
    const isReduced = !isReducedTogether && times.length > request.maxPoints;
    const kept = isReduced
      ? await reducedIndexes(times, values, request.maxPoints, task)
      : undefined;
    reduced ||= isReduced;
    const x = kept ? picked(times, kept) : isShared ? undefined : times;
    const y = kept ? picked(values, kept) : values;
    series.push({
      ...seriesHead(plot, drawn),
      ...(x !== undefined && { x: Array.from(x) }),
      y: withNulls(y),
      figures,
    });
    if (task.due) await task.pause(series.length, prepared.length);
  }
  return {
    kind: 'timeSeries',
    series,
    times: series.every(({ x: own }) => own !== undefined) ? [] : Array.from(shared),
    ...(bins.size !== undefined && { binMilliseconds: bins.size }),
    ...(bins.from !== undefined && { from: bins.from }),
    ...(bins.to !== undefined && { to: bins.to }),
    partial: bins.partial,
    reduced,
    ...(leftOut > 0 && { leftOut }),
    skipped: sorted.points.skipped,
  };
}

/** As it is sent. An array of numbers alone is copied between threads several times as fast as a mixed one. */
function withNulls(values: Float64Array): (number | null)[] {
  const result: (number | null)[] = Array.from(values);
  for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) result[at] = null;
  return result;
}

function seriesHead(
  { sorted: { points } }: TimePlot,
  { slot, measure, key }: DrawnSlot,
): Pick<ChartSeries, 'key' | 'name' | 'column' | 'unit' | 'additive' | 'origin' | 'folded'> {
  const { column, unit, name, combining } = points.measures[measure] as Measure;
  const { group } = slot;
  const origin = group === undefined ? undefined : points.origin(group);
  const others = points.measures.length > 1 ? `other, ${name}` : 'other';
  return {
    key,
    name: group === undefined ? others : seriesName(points, group, measure),
    column,
    ...(unit !== undefined && { unit }),
    ...(combining === 'sum' && { additive: true }),
    ...(origin !== undefined && { origin }),
    ...(group === undefined && { folded: slot.groups }),
  };
}

/** Values at their places among more times, which contain all of theirs. */
function placed(values: Float64Array, own: Float64Array, times: Float64Array): Float64Array {
  const result = new Float64Array(times.length).fill(Number.NaN);
  for (let at = 0, place = 0; at < own.length; at++) {
    while ((times[place] as number) < (own[at] as number)) place++;
    result[place] = values[at] as number;
  }
  return result;
}

function picked(values: Float64Array, indexes: Uint32Array): Float64Array {
  const result = new Float64Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) result[at] = values[indexes[at] as number] as number;
  return result;
}

/** The exact values at the time of the chart that is nearest. */
export function pointNear({ sorted, drawn, bins }: TimePlot, time: number): ChartPoint {
  const { points } = sorted;
  const near = bins.times[nearest(bins.times, time)];
  const values: Record<string, string | null> = {};
  let text: string | undefined;
  for (const { slot, measure, key } of drawn) {
    const run = near === undefined ? -1 : indexOf(slot.times, near);
    values[key] = run < 0 ? null : textAt(sorted, slot, run, measure);
    if (run >= 0) text ??= points.timeText(slot.points[slot.starts[run] as number] as number);
  }
  return { time: text ?? (near === undefined ? '' : new Date(near).toISOString()), values };
}

/** The index of the last time that is not after `time`; -1 if all are. */
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

function nearest(times: Float64Array, time: number): number {
  const before = lastUntil(times, time);
  if (before < 0) return 0;
  const after = before + 1;
  if (after >= times.length) return before;
  return time - (times[before] as number) <= (times[after] as number) - time ? before : after;
}

function indexOf(times: Float64Array, time: number): number {
  const at = lastUntil(times, time);
  return times[at] === time ? at : -1;
}
