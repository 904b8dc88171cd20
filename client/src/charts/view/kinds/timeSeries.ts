/** Draws time series. Their marks are the times of all series. */
import { counted, grouped } from '../../../../../formats/src/counts.ts';
import type { TimeSeriesData } from '../../../../../table/src/chart/chart.ts';
import type { compareSeries } from '../../compare.ts';
import { exactNumber, spanText } from '../format.ts';
import type { Drawing } from '../options/drawing.ts';
import { maxAxes, unitsOf } from '../options/timeAxis.ts';
import { hasPartialLabels } from '../options/timeMarks.ts';
import { type TimeSeriesLook, timeSeriesOption } from '../options/timeSeries.ts';
import type { Drawn } from './drawn.ts';
import { foldedNotice, sentences, skippedNotice } from './leftOut.ts';
import { nearestIndex } from './nearestIndex.ts';
import { timeSeriesHit } from './timeSeriesHit.ts';
import { timeSeriesLegend } from './timeSeriesLegend.ts';

/** A comparison with an earlier span. Its `label` is, for example, `1 day earlier`. */
export type Comparison = ReturnType<typeof compareSeries> & { readonly label: string };

export function drawTimeSeries(
  data: TimeSeriesData,
  look: TimeSeriesLook,
  drawing: Drawing,
  comparison?: Comparison,
): Drawn {
  const times = allTimes(data);
  const bin = data.binMilliseconds ?? 0;
  const step = bin || smallestStep(times);
  return {
    // Build the option when it is drawn, because the legend may change the plot's size first.
    get option() {
      return timeSeriesOption(data, look, drawing, comparison);
    },
    legend: timeSeriesLegend(data, drawing, comparison),
    notices: sentences(...noticesOf(data), !hasPartialLabels(drawing) && partialNotice(data)),
    description: describe(data, look, times, drawing.timeZone),
    marks: times.length,
    markAt: (x, y, scale) => {
      const value = scale.valueAt(x, y);
      return value && nearestIndex(times, value[0], look.style === 'bars' ? bin : 0);
    },
    hit: timeSeriesHit(data, look, drawing, { times, step }, comparison),
    hasTimeAxis: true,
  };
}

/** Returns the distinct times of all series in ascending order. */
export function allTimes(data: TimeSeriesData): readonly number[] {
  if (data.series.every(({ x }) => x === undefined)) return data.times;
  const all = new Set(data.times);
  for (const { x = [] } of data.series) for (const time of x) all.add(time);
  return Float64Array.from(all).sort() as unknown as readonly number[];
}

function smallestStep(times: readonly number[]): number {
  let least = Infinity;
  for (let at = 1; at < times.length; at++)
    least = Math.min(least, (times[at] as number) - (times[at - 1] as number));
  return Number.isFinite(least) ? least : 0;
}

function noticesOf(data: TimeSeriesData): string[] {
  const units = unitsOf(data.series).length;
  const folded = data.series.find((series) => series.folded !== undefined)?.folded;
  const kept = data.series.filter((series) => series.folded === undefined).length;
  const left = data.leftOut ?? 0;
  return sentences(
    folded !== undefined && `${kept} series with the highest totals.`,
    foldedNotice(folded),
    left > 0 &&
      `${grouped(left)} series are not drawn: their values cannot be added. Filter the query to see them.`,
    units > maxAxes &&
      `${units} units: the last axis is shared. Choose fewer values to read them on their own axes.`,
    hasSizesApart(data) &&
      'Columns of very different size share an axis. Choose one under Values to read the smaller ones.',
    skippedNotice(data.skipped),
  );
}

/** The ratio from which the smaller of two measures on the same axis looks like a flat line at the bottom. */
const sizesApart = 50;

/** Returns whether measures on the same axis differ too much in size. Measures with the same unit share an axis. */
function hasSizesApart({ series }: TimeSeriesData): boolean {
  const sizes = new Map<number, { readonly unit: string | undefined; size: number }>();
  for (const { column, unit, y } of series) {
    const known = sizes.get(column) ?? { unit, size: 0 };
    for (const value of y) known.size = Math.max(known.size, Math.abs(value ?? 0));
    sizes.set(column, known);
  }
  const measures = [...sizes.values()].filter(({ size }) => size > 0);
  return measures.some((one) =>
    measures.some((other) => one.unit === other.unit && one.size > sizesApart * other.size),
  );
}

export function partialNotice({
  partial,
  times,
}: Pick<TimeSeriesData, 'partial' | 'times'>): string | undefined {
  if (!partial.first && !partial.last) return undefined;
  if (times.length === 1) return 'The bin is partial: the time range cuts it.';
  if (partial.first && partial.last)
    return 'The first and the last bin are partial: the time range cuts them.';
  return `The ${partial.first ? 'first' : 'last'} bin is partial: the time range cuts it.`;
}

const styleNames = { line: 'Line chart', area: 'Area chart', bars: 'Bar chart' } as const;

function describe(
  data: TimeSeriesData,
  { style, stacked }: TimeSeriesLook,
  times: readonly number[],
  timeZone: 'utc' | 'local',
): string {
  const count = data.series.length;
  const first = times[0];
  const last = times.at(-1);
  const span =
    first === undefined || last === undefined ? '' : `, ${spanText(first, last, timeZone)}`;
  const names = data.series
    .slice(0, 5)
    .map(({ name, figures, unit }) => {
      const { min, max } = figures;
      return min === undefined || max === undefined
        ? name
        : `${name}: ${exactNumber(min, unit)} to ${exactNumber(max, unit)}`;
    })
    .join('; ');
  return `${stacked ? 'Stacked ' : ''}${stacked ? styleNames[style].toLowerCase() : styleNames[style]} of ${grouped(count)} series with ${counted(times.length, 'time')}${span}. ${names}`;
}
