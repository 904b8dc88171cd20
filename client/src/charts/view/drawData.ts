/** Chooses how data of each kind is drawn. */
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
import { hasOneColor } from './options/categories.ts';
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

/** The keys that have a color each; the greatest first, so that they are different while there are colors. */
export function coloredKeys(data: PlottedData, earlier: TimeSeriesData | undefined): string[] {
  const named = (
    all: readonly { readonly key: string; readonly folded?: number }[],
  ): readonly string[] => all.flatMap(({ key, folded }) => (folded === undefined ? [key] : []));
  switch (data.kind) {
    case 'timeSeries':
      return [...new Set([...named(data.series), ...named(earlier?.series ?? [])])];
    case 'scatter':
      return [...named(data.series)];
    case 'pie':
      return [...named(data.categories)];
    case 'topList':
      return hasOneColor(data) ? [] : [...named(data.categories)];
    case 'heatmap':
    case 'statistic':
      return [];
  }
}

/** Whether there is nothing to see, although there are rows. */
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
      return data.categories.every(({ value }) => value === null || value <= 0);
  }
}
