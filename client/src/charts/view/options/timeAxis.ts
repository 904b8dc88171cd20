/** A time series' axes: the time axis, and a numeric axis for each unit. */
import type {
  ChartSeries,
  SeriesStyle,
  TimeSeriesData,
} from '../../../../../table/src/chart/chart.ts';

/** The maximum number of axes, because more would leave no room for the chart. Further units share the last axis. */
export const maxAxes = 3;

/** Returns the distinct units in order of appearance. Numbers without a unit have the unit undefined. */
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

/** Returns the offset of drawn points from their bins' starts: half a bin for bars and single points, otherwise 0. */
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

/** Returns the first and last time of all series; infinite values if there are no times. */
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
  // Include the entire last bin, and the parts of the range without data.
  const min = Math.min(first, data.from ?? first);
  const max = Math.max(last + bin, data.to ?? last);
  // Widen the axis for a single point, because the axis would otherwise have no length.
  return min === max ? { min: min - 30_000, max: max + 30_000 } : { min, max };
}
