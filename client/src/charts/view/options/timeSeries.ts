/** ECharts options for time series as lines, areas or bars, with an axis for each unit. */
import type {
  ChartSeries,
  SeriesStyle,
  TimeSeriesData,
} from '../../../../../table/src/chart/chart.ts';
import type { Ink } from '../palette.ts';
import type { Theme } from '../theme.ts';
import {
  axisStyle,
  baseOption,
  type Drawing,
  gridStyle,
  inert,
  inkOfKey,
  noAxisLine,
  numberAxis,
  type Option,
  splitsOf,
  visibleOf,
} from './drawing.ts';
import { isolated } from './isolated.ts';
import { axisOf, maxAxes, rangeOfAxis, shiftOf, timesOf, unitsOf } from './timeAxis.ts';
import { annotationSeries, labelRoom, marksSeries, thresholdSeries } from './timeMarks.ts';

/** The width in pixels of each axis after the second. */
const axisWidth = 56;
/** The minimum width and height in pixels of a bar with a border. The border would hide a smaller bar. */
const [borderedBar, borderedHeight] = [8, 4];
/** The share of a bin's width that its bars cover. */
const barShare = 0.88;
/** The share of the axis that ECharts uses as the band width of a single bin. */
const bandOfOne = 0.8;
/** The height in pixels of the labels below the plot. */
const axisHeight = 30;

export interface TimeSeriesLook {
  readonly style: SeriesStyle;
  readonly stacked: boolean;
}

/** The series of an earlier span, drawn dashed. Their times are already shifted to the current span. */
type Earlier = Pick<TimeSeriesData, 'series' | 'times'>;

export function timeSeriesOption(
  data: TimeSeriesData,
  look: TimeSeriesLook,
  drawing: Drawing,
  earlier?: Earlier,
): Option {
  const { theme, width } = drawing;
  const drawn = visibleOf(data.series, drawing);
  const units = unitsOf(data.series);
  const bin = data.binMilliseconds ?? 0;
  const shift = shiftOf(data, look.style);
  const range = rangeOfAxis(data, 2 * shift);
  const axes = Math.max(1, Math.min(units.length, maxAxes));
  const span = (range.max ?? 0) - (range.min ?? 0);
  const share = span > 0 ? bin / span / (look.stacked ? 1 : drawn.length) : 0;
  const isOneBin = bin > 0 && drawn.every((one) => timesOf(one, data).length === 1);
  const place = {
    look,
    shift,
    borderFrom:
      theme.highContrast && width * share >= borderedBar
        ? borderedValue(drawn, look, drawing)
        : undefined,
    alone: isOneBin && share > 0 ? share : undefined,
    drawing,
  };
  return {
    ...baseOption(drawing),
    grid: {
      ...gridStyle,
      right: axes === 1 ? 16 : 8 + (axes - 2) * axisWidth,
      top: 8 + labelRoom(drawing),
      bottom: 2,
    },
    xAxis: {
      ...axisStyle(drawing),
      type: 'time',
      // Draw the axis above the bars, because the borders of bars without height would cover its line.
      z: 3,
      splitLine: { show: false },
      splitNumber: Math.max(3, Math.min(10, Math.round(width / 130))),
      ...range,
      // Don't widen the axis, because the range already contains the bins.
      ...(isOneBin && { containShape: false }),
    },
    yAxis: Array.from({ length: axes }, (_, index) => ({
      ...numberAxis(drawing, units[index]),
      ...noAxisLine,
      splitNumber: splitsOf(drawing),
      position: index === 0 ? 'left' : 'right',
      offset: index < 2 ? 0 : (index - 1) * axisWidth,
      splitLine: { show: index === 0, lineStyle: { color: theme.line } },
    })),
    series: [
      ...drawn.map((series) => {
        const axis = axisOf(units, series.unit);
        return seriesOption(series, { ...place, times: timesOf(series, data), axis });
      }),
      ...(earlier ? earlierOptions(earlier, units, drawing, shift) : []),
      marksSeries(data, drawing, range),
      annotationSeries(drawing, range),
      ...thresholdSeries(data, drawing, units),
    ],
  };
}

interface SeriesPlace {
  readonly times: readonly number[];
  readonly look: TimeSeriesLook;
  /** The shift of the points' times in milliseconds. */
  readonly shift: number;
  /** Bars of at least this value have borders that separate them. Undefined draws no borders. */
  readonly borderFrom: number | undefined;
  /** The bar's share of the axis if there is only one bin; undefined if there are several bins. */
  readonly alone: number | undefined;
  readonly drawing: Drawing;
  readonly axis: number;
}

function seriesOption(series: ChartSeries, place: SeriesPlace) {
  const { times, look, shift, borderFrom, alone: share, drawing, axis } = place;
  const { theme } = drawing;
  const ink = inkOfKey(series, drawing);
  const common = {
    ...inert,
    id: series.key,
    name: series.name,
    yAxisIndex: axis,
    ...points(times, series.y, shift),
    ...(look.stacked && { stack: `axis ${axis}` }),
  };
  if (look.style === 'bars')
    return {
      ...common,
      type: 'bar',
      // Set the width of a single bin explicitly, because ECharts derives widths from the distance between bins.
      ...(share === undefined
        ? { barMaxWidth: 60 }
        : { barWidth: `${(100 * barShare * share) / bandOfOne}%` }),
      barMinWidth: 1,
      barCategoryGap: `${100 * (1 - barShare)}%`,
      itemStyle: { color: ink.color, ...stripes(ink, theme) },
      ...(borderFrom !== undefined && {
        data: borderedPoints(times, series.y, shift, borderFrom, theme),
      }),
    };
  const alone = isolated(series.y);
  return {
    ...common,
    type: 'line',
    // Set a symbol function only if needed, because ECharts calls it for every point.
    ...(alone.size === 0
      ? { showSymbol: false }
      : {
          showSymbol: true,
          showAllSymbol: true,
          symbol: 'circle',
          symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) =>
            alone.has(dataIndex) ? 5 : 0,
        }),
    lineStyle: { color: ink.color, width: 1.5, type: ink.dash },
    itemStyle: { color: ink.color },
    ...(look.style === 'area' && {
      areaStyle: { color: ink.color, opacity: look.stacked ? 0.55 : 0.18 },
    }),
  };
}

/** Distinguishes series of the same color by stripes. They are horizontal, so that narrow bars show them too. */
function stripes({ dash }: Ink, { background }: Theme) {
  if (dash === 'solid') return {};
  const [filled, empty] = dash as [number, number];
  return {
    decal: {
      symbol: 'rect',
      color: background,
      dashArrayX: [1, 0],
      dashArrayY: [Math.ceil(empty / 2) + 1, filled],
      symbolSize: 1,
    },
  };
}

/** Returns the points as one array of numbers, which ECharts reads without copying. NaN represents null. */
function points(times: readonly number[], y: readonly (number | null)[], shift: number) {
  const data = new Float64Array(times.length * 2);
  for (let at = 0; at < times.length; at++) {
    data[at * 2] = (times[at] as number) + shift;
    data[at * 2 + 1] = y[at] ?? Number.NaN;
  }
  return { data, dimensions: ['time', 'value'] };
}

/** Returns the value at which a bar is just high enough for a border. */
function borderedValue(
  drawn: readonly ChartSeries[],
  { stacked }: TimeSeriesLook,
  { height }: Drawing,
): number {
  const sums = new Map<unknown, number>();
  for (const { x, y } of drawn)
    for (const [at, value] of y.entries()) {
      const key = x?.[at] ?? at;
      const size = Math.abs(value ?? 0);
      sums.set(key, stacked ? (sums.get(key) ?? 0) + size : Math.max(sums.get(key) ?? 0, size));
    }
  const greatest = Math.max(0, ...sums.values());
  return (greatest * borderedHeight) / Math.max(1, height - axisHeight);
}

/** Returns the bars as objects. Bars that are large enough have borders. */
function borderedPoints(
  times: readonly number[],
  y: readonly (number | null)[],
  shift: number,
  borderFrom: number,
  { background }: Theme,
) {
  return times.map((time, at) => {
    const value = y[at] ?? null;
    const bordered = Math.abs(value ?? 0) >= borderFrom;
    return {
      value: [time + shift, value],
      ...(bordered && { itemStyle: { borderColor: background, borderWidth: 1 } }),
    };
  });
}

function earlierOptions(
  earlier: Earlier,
  units: readonly (string | undefined)[],
  drawing: Drawing,
  shift: number,
) {
  return visibleOf(earlier.series, drawing).map((series) => {
    const { color } = inkOfKey(series, drawing);
    return {
      ...inert,
      id: `earlier ${series.key}`,
      name: series.name,
      type: 'line',
      yAxisIndex: axisOf(units, series.unit),
      showSymbol: series.y.length === 1,
      symbolSize: 4,
      z: 3,
      lineStyle: { color, width: 1.2, type: [4, 4], opacity: 0.9 },
      itemStyle: { color },
      ...points(timesOf(series, earlier), series.y, shift),
    };
  });
}
