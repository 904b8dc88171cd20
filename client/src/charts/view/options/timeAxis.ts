/** The axes of a time series: its times, the span that they cover, and an axis of numbers for each unit. */
import type {
  ChartSeries,
  SeriesStyle,
  TimeSeriesData,
} from '../../../../../table/src/chart/chart.ts';

/** More axes than this would leave no room for the chart; the units beyond share the last. */
export const maxAxes = 3;

/** The units of the series in the order in which they appear; undefined stands for numbers without one. */
export function unitsOf(series: readonly ChartSeries[]): (string | undefined)[] {
  return [...new Set(series.map(({ unit }) => unit))];
}

export function axisOf(units: readonly (string | undefined)[], unit: string | undefined): number {
  return Math.min(Math.max(0, units.indexOf(unit)), maxAxes - 1);
}

export function timesOf(
  series: Pick<ChartSeries, 'x'>,
  { times }: Pick<TimeSeriesData, 'times'>,
): readonly number[] {
  return series.x ?? times;
}

/** Returns the milliseconds from a bin's time to its drawn position, since a bar covers its bin. */
export function shiftOf(
  { series, times, binMilliseconds = 0 }: TimeSeriesData,
  style: SeriesStyle,
): number {
  const isAlone = series.every((one) => timesOf(one, { times }).length <= 1);
  return style === 'bars' || isAlone ? binMilliseconds / 2 : 0;
}

export interface AxisRange {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** The first and the last time of all series; infinite if there are none. */
export function endsOf(data: TimeSeriesData): readonly [first: number, last: number] {
  const times = data.series.flatMap((series) => {
    const own = timesOf(series, data);
    return own.length === 0 ? [] : [own[0] as number, own.at(-1) as number];
  });
  return [Math.min(...times), Math.max(...times)];
}

export function rangeOfAxis(data: TimeSeriesData, bin: number): AxisRange {
  const [first, last] = endsOf(data);
  if (!Number.isFinite(first)) return { min: data.from, max: data.to };
  // A bar covers its bin, and the range the bins that the service returned none for.
  const min = Math.min(first, data.from ?? first);
  const max = Math.max(last + bin, data.to ?? last);
  // One point alone has no span that an axis could show.
  return min === max ? { min: min - 30_000, max: max + 30_000 } : { min, max };
}
