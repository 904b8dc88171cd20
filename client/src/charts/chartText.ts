/** Writes a chart as text for its page, and reads it there. Series are packed, because they are most of the text. */
import type { ChartData, ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';
import { packNumbers, unpackNumbers } from './packedNumbers.ts';

type SeriesOf<Numbers> = Omit<ChartSeries, 'x' | 'y'> & {
  readonly x?: Numbers;
  readonly y: Numbers;
};

type TimeSeriesOf<Numbers> = Omit<TimeSeriesData, 'series' | 'times'> & {
  readonly series: readonly SeriesOf<Numbers>[];
  readonly times: Numbers;
};

type PackedChart = Exclude<ChartData, TimeSeriesData> | TimeSeriesOf<string>;

export function chartText(data: ChartData): string {
  return JSON.stringify(data.kind === 'timeSeries' ? converted(data, packNumbers) : data);
}

export function parseChart(text: string): ChartData {
  const data = JSON.parse(text) as PackedChart;
  if (data.kind !== 'timeSeries') return data;
  return converted(data, unpackNumbers) as TimeSeriesData;
}

/** Converts all numbers of a time series. */
function converted<From, To>(
  data: TimeSeriesOf<From>,
  convert: (numbers: From) => To,
): TimeSeriesOf<To> {
  return {
    ...data,
    series: data.series.map(({ x, y, ...series }) => ({
      ...series,
      ...(x !== undefined && { x: convert(x) }),
      y: convert(y),
    })),
    times: convert(data.times),
  };
}
