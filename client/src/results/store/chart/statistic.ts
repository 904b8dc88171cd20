/** Single figures, by group and measure, with their trend where rows have times. */
import type { StatisticData } from '../../../charts/chart.ts';
import { category } from './categories.ts';
import type { ChartContext } from './context.ts';
import { readPoints } from './points.ts';
import { sortedSlots, textOfPoints } from './series.ts';
import { type TimePlot, timePlot, timeSeries } from './timeSeries.ts';
import { wholeTexts } from './totals.ts';

export async function statistic(context: ChartContext): Promise<StatisticData> {
  const { request } = context;
  if (request.time === undefined) return await figuresWithoutTime(context);
  const plot = await timePlot(context);
  const { series } = await timeSeries(context, plot);
  const whole = await wholeTexts(context, plot.sorted.points);
  return {
    kind: 'statistic',
    statistics: plot.drawn.flatMap(({ slot, measure }, index) => {
      const drawn = series[index];
      if (slot.group === undefined || drawn === undefined) return [];
      const { points } = plot.sorted;
      const text = whole(slot.group, measure) ?? textOfPoints(points, slot.points, measure);
      const trend = { x: drawn.x ?? timesOf(plot), y: drawn.y };
      const change = changeOf(wholeBins(plot, trend.y));
      return {
        ...category(points, slot.group, measure, text),
        trend,
        ...(change !== undefined && { change }),
      };
    }),
    ...leftOut(plot),
  };
}

/** Bins that the range cuts have fewer events, which says nothing about a trend. */
function wholeBins(
  { bins: { partial, times } }: TimePlot,
  values: readonly (number | null)[],
): readonly (number | null)[] {
  if (values.length !== times.length) return values;
  return values.slice(partial.first ? 1 : 0, partial.last ? -1 : undefined);
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
function changeOf(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (known.length < 2 || first === undefined || last === undefined || first === 0)
    return undefined;
  const change = (last - first) / Math.abs(first);
  return Number.isFinite(change) ? change : undefined;
}
