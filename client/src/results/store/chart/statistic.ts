/** Single figures, by group and measure, with their trend where rows have times. */
import type { StatisticData } from '../../../charts/chart.ts';
import { category } from './categories.ts';
import type { ChartContext } from './context.ts';
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
  return {
    kind: 'statistic',
    statistics: whole.flatMap(({ drawn: { slot, measure }, times, values }, index) => {
      const drawn = series[index];
      if (slot.group === undefined || drawn === undefined) return [];
      const { points } = plot.sorted;
      const text = figure(slot.group, measure) ?? textOfPoints(points, slot.points, measure);
      const change = changeOf(completeBins(plot, times, values));
      return {
        ...category(points, slot.group, measure, text),
        trend: { x: drawn.x ?? timesOf(plot), y: drawn.y },
        ...(change !== undefined && { change }),
      };
    }),
    partial: plot.bins.partial,
    ...leftOut(plot),
  };
}

/** The values of bins that the range does not cut: the others have fewer events, which is no change. */
function completeBins({ bins }: TimePlot, times: Float64Array, values: Float64Array): Float64Array {
  const { partial } = bins;
  const isCut = (at: number, end: number) => times.at(at) === bins.times.at(end);
  return values.subarray(
    partial.first && isCut(0, 0) ? 1 : 0,
    partial.last && isCut(-1, -1) ? -1 : undefined,
  );
}

function timesOf({ bins }: TimePlot): number[] {
  return Array.from(bins.times);
}

function leftOut({ drawn, leftOut: others }: TimePlot): { leftOut?: number } {
  const folded = drawn.find(({ slot }) => slot.group === undefined)?.slot.groups ?? 0;
  return folded + others > 0 ? { leftOut: folded + others } : {};
}

async function figuresWithoutTime({ table, request, task }: ChartContext): Promise<StatisticData> {
  const points = await readPoints(table, request, task);
  const { slots } = await sortedSlots(points, request.maxSeries, task);
  let others = 0;
  const statistics = slots.flatMap(({ group, groups, points: own }) => {
    if (group === undefined) {
      others += groups;
      return [];
    }
    return points.measures.map((_, measure) =>
      category(points, group, measure, textOfPoints(points, own, measure)),
    );
  });
  return { kind: 'statistic', statistics, ...(others > 0 && { leftOut: others }) };
}

/** The share by which the last value differs from the first. */
function changeOf(values: Float64Array): number | undefined {
  const isKnown = (value: number) => !Number.isNaN(value);
  const [first, last] = [values.findIndex(isKnown), values.findLastIndex(isKnown)];
  if (first === last) return undefined;
  const [from, to] = [values[first] as number, values[last] as number];
  const change = (to - from) / Math.abs(from);
  return Number.isFinite(change) ? change : undefined;
}
