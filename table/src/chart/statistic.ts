/** Single numbers by group and measure, each with a trend if rows have times. */

import { category } from './categories.ts';
import type { StatisticChange, StatisticData } from './chart.ts';
import { type ChartContext, hasBins } from './context.ts';
import { readPoints } from './points.ts';
import { sortedSlots, textOfPoints } from './series.ts';
import { type TimePlot, timePlot } from './timePlot.ts';
import { drawnSeries, wholeSeries } from './timeSeries.ts';
import { wholeTexts } from './totals.ts';

export async function statistic(context: ChartContext): Promise<StatisticData> {
  const { request } = context;
  if (request.time === undefined) return await figuresWithoutTime(context);
  const plot = await timePlot(context);
  const whole = await wholeSeries(context, plot);
  const { series } = await drawnSeries(context, plot, whole);
  const figure = await wholeTexts(context, plot.sorted.points);
  const data = dataEnds(plot);
  const folded = plot.drawn.find(({ slot }) => slot.group === undefined);
  const leftOut = plot.leftOut + (folded?.slot.groups ?? 0);
  return {
    kind: 'statistic',
    statistics: whole.flatMap(({ drawn: { slot, measure }, times, values }, index) => {
      const drawn = series[index];
      if (slot.group === undefined || drawn === undefined) return [];
      const { points } = plot.sorted;
      const text = figure(slot.group, measure) ?? textOfPoints(points, slot.points, measure);
      const change = changeOf(times, values, completeBins(plot, data));
      return {
        ...category(points, slot.group, measure, text),
        trend: { x: drawn.x ?? Array.from(plot.bins.times), y: drawn.y },
        ...(change !== undefined && { change }),
      };
    }),
    ...(plot.bins.size !== undefined && hasBins(context) && { binMilliseconds: plot.bins.size }),
    partial: plot.bins.partial,
    data,
    ...(leftOut > 0 && { leftOut }),
  };
}

/** Returns the first and last bins with data, each only if the range has empty bins before or after it. */
function dataEnds({ bins: { times }, drawn }: TimePlot): NonNullable<StatisticData['data']> {
  const slots = drawn.map(({ slot }) => slot.times);
  const first = Math.min(...slots.map((own) => own[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...slots.map((own) => own.at(-1) ?? Number.NEGATIVE_INFINITY));
  return {
    ...(first > (times[0] as number) && { first }),
    ...(last < (times.at(-1) as number) && { last }),
  };
}

/** Returns exclusive bounds for complete bins. A partial bin has fewer events and would look like a change. */
function completeBins(
  { bins: { times, partial } }: TimePlot,
  { first, last }: NonNullable<StatisticData['data']>,
) {
  return {
    after: first ?? (partial.first ? (times[0] as number) : Number.NEGATIVE_INFINITY),
    before: last ?? (partial.last ? (times.at(-1) as number) : Number.POSITIVE_INFINITY),
  };
}

async function figuresWithoutTime({ table, request, task }: ChartContext): Promise<StatisticData> {
  const points = await readPoints(table, request, task);
  const { slots } = await sortedSlots(points, request.maxSeries, task);
  const folded = slots.find(({ group }) => group === undefined);
  const statistics = slots.flatMap(({ group, points: own }) =>
    group === undefined
      ? []
      : points.measures.map((_, measure) =>
          category(points, group, measure, textOfPoints(points, own, measure)),
        ),
  );
  return { kind: 'statistic', statistics, ...(folded && { leftOut: folded.groups }) };
}

/** Returns the change from the first to the last value within the bounds; undefined without two values or from 0. */
function changeOf(
  times: Float64Array,
  values: Float64Array,
  { after, before }: ReturnType<typeof completeBins>,
): StatisticChange | undefined {
  const isKnown = (value: number, at: number) =>
    !Number.isNaN(value) && (times[at] as number) > after && (times[at] as number) < before;
  const [first, last] = [values.findIndex(isKnown), values.findLastIndex(isKnown)];
  if (first === last) return undefined;
  const [from, to] = [values[first] as number, values[last] as number];
  const share = (to - from) / Math.abs(from);
  if (!Number.isFinite(share)) return undefined;
  return { share, from: times[first] as number, to: times[last] as number };
}
