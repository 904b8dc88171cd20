/** Series over time: the greatest series, all at the common times of bins or each at its own times. */
import type { ChartSeries, SeriesFigures, TimeSeriesData } from './chart.ts';
import type { ChartContext } from './context.ts';
import { markOf } from './measures.ts';
import { fillMissing } from './missing.ts';
import { reducedIndexes, reducedTogether } from './reduce.ts';
import { valuesOf } from './series.ts';
import { figuresOf } from './seriesFigures.ts';
import type { DrawnSlot, TimePlot } from './timePlot.ts';

/** A series at its drawn times, before reduction for the screen. */
interface WholeSeries {
  readonly drawn: DrawnSlot;
  readonly figures: SeriesFigures;
  readonly times: Float64Array;
  /** The values by time, with gaps filled as requested; `NaN` if there is no value. */
  readonly values: Float64Array;
  /** The number of time points that had no value before gaps were filled. */
  readonly missing: number;
}

export async function wholeSeries(
  { request, task }: ChartContext,
  { sorted, bins, drawn, isShared }: TimePlot,
): Promise<WholeSeries[]> {
  const whole: WholeSeries[] = [];
  for (const one of drawn) {
    const { slot, measure } = one;
    const own = await valuesOf(sorted, slot, measure, task);
    const times = isShared ? bins.times : slot.times;
    const values = isShared ? placed(own, slot.times, times) : own.slice();
    const how = request.missing;
    const { missing, filled } = fillMissing(values, times, how);
    const figures = await figuresOf(sorted, { slot, measure, own, values, filled, how }, task);
    whole.push({ drawn: one, figures, times, values, missing });
    if (task.due) await task.pause(whole.length, drawn.length);
  }
  return whole;
}

export async function timeSeries(context: ChartContext, plot: TimePlot): Promise<TimeSeriesData> {
  return await drawnSeries(context, plot, await wholeSeries(context, plot));
}

export async function drawnSeries(
  { request, task }: ChartContext,
  plot: TimePlot,
  whole: readonly WholeSeries[],
): Promise<TimeSeriesData> {
  const { sorted, bins, isShared, leftOut } = plot;
  let drawnValues = whole.map(({ values }) => values);
  let shared: Float64Array = isShared ? bins.times : new Float64Array(0);
  let reduced = false;
  const isReducedTogether = isShared && request.stacked && shared.length > request.maxPoints;
  if (isReducedTogether) {
    const kept = await reducedTogether(shared, drawnValues, request.maxPoints, task);
    drawnValues = drawnValues.map((values) => picked(values, kept));
    shared = picked(shared, kept);
    reduced = true;
  }
  const series: ChartSeries[] = [];
  for (const [index, { drawn, figures, times }] of whole.entries()) {
    const values = drawnValues[index] as Float64Array;
    const isReduced = !isReducedTogether && times.length > request.maxPoints;
    const kept = isReduced
      ? await reducedIndexes(times, values, request.maxPoints, task)
      : undefined;
    reduced ||= isReduced;
    const isAdditive = sorted.points.measures[drawn.measure]?.combining === 'sum';
    const x = kept ? picked(times, kept) : isShared ? undefined : times;
    const y = kept ? picked(values, kept) : values;
    series.push({
      ...markOf(sorted.points, drawn.slot.group, drawn.measure),
      ...(isAdditive && { additive: true }),
      ...(drawn.slot.group === undefined && { folded: drawn.slot.groups }),
      ...(x !== undefined && { x: Array.from(x) }),
      y: withNulls(y),
      figures,
    });
    if (task.due) await task.pause(series.length, whole.length);
  }
  return {
    kind: 'timeSeries',
    series,
    times: series.every(({ x: own }) => own !== undefined) ? [] : Array.from(shared),
    ...(bins.size !== undefined && { binMilliseconds: bins.size }),
    ...bins.range,
    partial: bins.partial,
    missing: whole.reduce((sum, { missing }) => sum + missing, 0),
    reduced,
    ...(leftOut > 0 && { leftOut }),
    skipped: sorted.points.skipped,
  };
}

/** Replaces `NaN` with null. Arrays without null contain only numbers, which threads copy several times as fast. */
function withNulls(values: Float64Array): (number | null)[] {
  const result: (number | null)[] = [];
  // Append each value, because `Array.from` is slower and a preallocated array is copied more slowly to other threads.
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    result.push(Number.isNaN(value) ? null : value);
  }
  return result;
}

/** Puts values at their own times within `times`, and `NaN` at the other times. */
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
