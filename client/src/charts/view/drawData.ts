/** Draws each kind of data with the function for its kind. */
import type {
  ChartData,
  LogStreamData,
  TimeSeriesData,
} from '../../../../table/src/chart/chart.ts';
import { drawPie, drawTopList } from './kinds/categories.ts';
import type { Drawn } from './kinds/drawn.ts';
import { drawHeatmap } from './kinds/heatmap.ts';
import { drawScatter } from './kinds/scatter.ts';
import { drawStatistic } from './kinds/statistic.ts';
import { type Comparison, drawTimeSeries } from './kinds/timeSeries.ts';
import { hasOneColor, isSlice } from './options/categories.ts';
import type { Drawing } from './options/drawing.ts';
import type { TimeSeriesLook } from './options/timeSeries.ts';

export type PlottedData = Exclude<ChartData, LogStreamData>;

export function drawData(
  data: PlottedData,
  look: TimeSeriesLook,
  drawing: Drawing,
  comparison?: Comparison,
): Drawn {
  switch (data.kind) {
    case 'timeSeries':
      return drawTimeSeries(data, look, drawing, comparison);
    case 'topList':
      return drawTopList(data, drawing);
    case 'pie':
      return drawPie(data, drawing);
    case 'heatmap':
      return drawHeatmap(data, drawing);
    case 'scatter':
      return drawScatter(data, drawing);
    case 'statistic':
      return drawStatistic(data, drawing);
  }
}

/** Returns the keys that need a color, in the data's order, so that the first series get distinct colors. */
export function coloredKeys(data: PlottedData, earlier: TimeSeriesData | undefined): string[] {
  const all = [...coloredIn(data), ...coloredIn(earlier)];
  return [...new Set(all.flatMap(({ key, folded }) => (folded === undefined ? [key] : [])))];
}

function coloredIn(
  data: PlottedData | undefined,
): readonly { readonly key: string; readonly folded?: number }[] {
  switch (data?.kind) {
    case 'timeSeries':
    case 'scatter':
      return data.series;
    case 'topList':
      return hasOneColor(data) ? [] : data.categories;
    case 'pie':
      return data.categories;
    default:
      return [];
  }
}

/** Returns whether the chart has nothing to draw, even if the data has rows. */
export function isEmpty(data: PlottedData): boolean {
  switch (data.kind) {
    case 'timeSeries':
      return data.series.every(({ y }) => y.every((value) => value === null));
    case 'scatter':
      return data.series.every(({ points }) => points.length === 0);
    case 'heatmap':
      return data.cells.length === 0;
    case 'statistic':
      return data.statistics.length === 0;
    case 'topList':
      return data.categories.length === 0;
    case 'pie':
      return !data.categories.some(isSlice);
  }
}
