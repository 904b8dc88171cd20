/** Writes a chart as text for its page, and reads it there. Series are packed, because they are most of the text. */
import type { ChartData, ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';
import { packNumbers, unpackNumbers } from './packedNumbers.ts';

type PackedSeries = Omit<ChartSeries, 'x' | 'y'> & { readonly x?: string; readonly y: string };

type PackedTimeSeries = Omit<TimeSeriesData, 'series' | 'times'> & {
  readonly series: readonly PackedSeries[];
  readonly times: string;
};

type PackedChart = Exclude<ChartData, TimeSeriesData> | PackedTimeSeries;

export function chartText(data: ChartData): string {
  return JSON.stringify(data.kind === 'timeSeries' ? packed(data) : data);
}

export function parseChart(text: string): ChartData {
  const data = JSON.parse(text) as PackedChart;
  return data.kind === 'timeSeries' ? unpacked(data) : data;
}

function packed(data: TimeSeriesData): PackedTimeSeries {
  return {
    ...data,
    series: data.series.map(({ x, y, ...series }) => ({
      ...series,
      ...(x && { x: packNumbers(x) }),
      y: packNumbers(y),
    })),
    times: packNumbers(data.times),
  };
}

function unpacked(data: PackedTimeSeries): TimeSeriesData {
  return {
    ...data,
    series: data.series.map(({ x, y, ...series }) => ({
      ...series,
      ...(x !== undefined && { x: unpackNumbers(x) as number[] }),
      y: unpackNumbers(y),
    })),
    times: unpackNumbers(data.times) as number[],
  };
}
