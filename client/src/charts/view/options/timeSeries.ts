/** Series over time as lines, areas or bars, with an axis for each unit. */
import type { ChartSeries, SeriesStyle, TimeSeriesData } from '../../chart.ts';
import { shortNumber } from '../format.ts';
import { axisStyle, baseOption, type Drawing, inkOfKey, type Option } from './drawing.ts';
import { isolated } from './isolated.ts';

export interface TimeSeriesLook {
  readonly style: SeriesStyle;
  readonly stacked: boolean;
}

/** An earlier span that is drawn dashed over the series of the same keys; its times are shifted already. */
export interface Earlier {
  readonly series: readonly ChartSeries[];
  readonly times: readonly number[];
}

/** More axes than this would leave no room for the chart; the units beyond share the last. */
export const maxAxes = 3;
const axisWidth = 56;

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

export function timeSeriesOption(
  data: TimeSeriesData,
  look: TimeSeriesLook,
  drawing: Drawing,
  earlier?: Earlier,
): Option {
  const { theme, visible, width, height } = drawing;
  const drawn = data.series.filter(({ key }) => visible?.has(key) !== false);
  const units = unitsOf(data.series);
  const bin = data.binMilliseconds ?? 0;
  const bars = look.style === 'bars';
  const range = rangeOfAxis(data, bars ? bin : 0);
  const axes = Math.max(1, Math.min(units.length, maxAxes));
  const rightAxes = axes - 1;
  const narrow = width < 420;
  return {
    ...baseOption(drawing),
    grid: {
      left: 8,
      right: rightAxes === 0 ? 16 : 8 + (rightAxes - 1) * axisWidth,
      top: 8,
      bottom: 2,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      ...axisStyle(drawing),
      splitLine: { show: false },
      splitNumber: narrow ? 3 : Math.max(3, Math.min(10, Math.round(width / 130))),
      ...range,
    },
    yAxis: Array.from({ length: axes }, (_, index) => ({
      type: 'value',
      ...axisStyle(drawing),
      axisLine: { show: false },
      axisTick: { show: false },
      splitNumber: Math.max(2, Math.min(5, Math.round(height / 45))),
      scale: false,
      position: index === 0 ? 'left' : 'right',
      offset: index < 2 ? 0 : (index - 1) * axisWidth,
      splitLine: { show: index === 0, lineStyle: { color: theme.line } },
      axisLabel: {
        ...axisStyle(drawing).axisLabel,
        formatter: (value: number) => shortNumber(value, units[index]),
      },
    })),
    series: [
      ...drawn.map((series) =>
        seriesOption(series, {
          times: timesOf(series, data),
          look,
          bin,
          drawing,
          axis: axisOf(units, series.unit),
        }),
      ),
      ...(earlier === undefined ? [] : earlierOptions(earlier, units, drawing, bars ? bin / 2 : 0)),
      marksSeries(data, drawing, range),
      ...thresholdSeries(data, drawing, units),
    ],
  };
}

interface AxisRange {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function rangeOfAxis(data: TimeSeriesData, bin: number): AxisRange {
  const times = data.series.flatMap((series) => {
    const own = timesOf(series, data);
    return own.length === 0 ? [] : [own[0] as number, own.at(-1) as number];
  });
  const first = Math.min(...times);
  const last = Math.max(...times);
  if (!Number.isFinite(first)) return { min: data.from, max: data.to };
  // A bar covers its bin, and the range the bins that the service returned none for.
  const min = Math.min(first, data.from ?? first);
  const max = Math.max(last + bin, data.to ?? last);
  // One point alone has no span that an axis could show.
  return min === max ? { min: min - 30_000, max: max + 30_000 } : { min, max };
}

interface SeriesPlace {
  readonly times: readonly number[];
  readonly look: TimeSeriesLook;
  readonly bin: number;
  readonly drawing: Drawing;
  readonly axis: number;
}

function seriesOption(series: ChartSeries, { times, look, bin, drawing, axis }: SeriesPlace) {
  const { theme } = drawing;
  const ink = inkOfKey(series, drawing);
  const isBar = look.style === 'bars';
  const shift = isBar ? bin / 2 : 0;
  const stack = look.stacked ? { stack: `axis ${axis}` } : {};
  const common = {
    id: series.key,
    name: series.name,
    yAxisIndex: axis,
    silent: true,
    emphasis: { disabled: true },
    ...points(times, series.y, shift),
    ...stack,
  };
  if (isBar) {
    return {
      ...common,
      type: 'bar',
      barMaxWidth: 60,
      barMinWidth: 1,
      barCategoryGap: '12%',
      itemStyle: {
        color: ink.color,
        ...(theme.highContrast && { borderColor: theme.background, borderWidth: 1 }),
      },
    };
  }
  const alone = isolated(series.y);
  return {
    ...common,
    type: 'line',
    // A function is called for every point, so it is given only where it is needed.
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

/** In one array of numbers, which the library reads without a copy for each point; NaN for null. */
function points(times: readonly number[], y: readonly (number | null)[], shift: number) {
  const data = new Float64Array(times.length * 2);
  for (let at = 0; at < times.length; at++) {
    data[at * 2] = (times[at] as number) + shift;
    data[at * 2 + 1] = y[at] ?? Number.NaN;
  }
  return { data, dimensions: ['time', 'value'] };
}

function earlierOptions(
  earlier: Earlier,
  units: readonly (string | undefined)[],
  drawing: Drawing,
  shift: number,
) {
  return earlier.series.flatMap((series) => {
    if (drawing.visible?.has(series.key) === false) return [];
    const { color } = inkOfKey(series, drawing);
    const times = series.x ?? earlier.times;
    return [
      {
        id: `earlier ${series.key}`,
        name: series.name,
        type: 'line',
        yAxisIndex: axisOf(units, series.unit),
        silent: true,
        emphasis: { disabled: true },
        showSymbol: series.y.length === 1,
        symbolSize: 4,
        z: 3,
        lineStyle: { color, width: 1.2, type: [4, 4], opacity: 0.9 },
        itemStyle: { color },
        ...points(times, series.y, shift),
      },
    ];
  });
}

function markLabel({ theme }: Drawing) {
  return {
    color: theme.text,
    fontSize: theme.fontSize - 2,
    textBorderColor: theme.background,
    textBorderWidth: 3,
  };
}

function shortText(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  // The library fills in what is in braces.
  return cut.replace(/[{}]/g, '');
}

/** Thresholds, each on the axis of the unit that its monitor watches, which its value widens. */
function thresholdSeries(
  data: TimeSeriesData,
  drawing: Drawing,
  units: readonly (string | undefined)[],
) {
  const { theme, thresholds } = drawing;
  const time = data.series.flatMap((series) => timesOf(series, data).slice(0, 1))[0];
  if (time === undefined) return [];
  return thresholds.map(({ monitor, value, column }, index) => {
    const unit = unitOfColumn(data, column, units);
    return {
      id: `threshold ${index}`,
      type: 'line',
      silent: true,
      // A point that is not drawn: the library gives marks no room on the axis.
      data: [[time, value]],
      symbol: 'none',
      yAxisIndex: axisOf(units, unit),
      z: 5,
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        lineStyle: { color: theme.text, type: [8, 4], width: 1.2 },
        label: {
          ...markLabel(drawing),
          position: 'insideEndTop',
          formatter: `${shortText(monitor)} ${shortNumber(value, unit)}`,
        },
        data: [{ yAxis: value, name: monitor }],
      },
    };
  });
}

/** Whether there is room for the labels of partial bins above most of the data; otherwise a notice names them. */
export function hasPartialLabels({ height }: Pick<Drawing, 'height'>): boolean {
  return height >= 180;
}

/**
 * The bins that the range cuts. A bin may be narrower than its label, which therefore begins at the edge of the
 * plot and stays inside of it.
 */
function partialBins(data: TimeSeriesData, { min = -Infinity, max = Infinity }: AxisRange) {
  const { partial, binMilliseconds: bin } = data;
  const ends = data.series.flatMap((series) => {
    const times = timesOf(series, data);
    return times.length === 0 ? [] : [times[0] as number, times.at(-1) as number];
  });
  if (bin === undefined || ends.length === 0) return [];
  const cut = (time: number) => ({ from: Math.max(min, time), to: Math.min(max, time + bin) });
  return [
    ...(partial.first ? [{ ...cut(Math.min(...ends)), position: 'insideTopLeft' }] : []),
    ...(partial.last ? [{ ...cut(Math.max(...ends)), position: 'insideTopRight' }] : []),
  ];
}

/** A series without points that carries what is drawn over the others. */
function marksSeries(data: TimeSeriesData, drawing: Drawing, range: AxisRange) {
  const { theme, annotations } = drawing;
  const label = markLabel(drawing);
  return {
    id: 'marks',
    type: 'line',
    silent: true,
    data: [],
    yAxisIndex: 0,
    z: 5,
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      data: annotations
        .filter(({ endTime }) => endTime === undefined)
        .map(({ time, title }) => ({
          xAxis: time,
          name: title,
          label: {
            ...label,
            position: 'insideEndTop',
            rotate: 0,
            align: 'left',
            formatter: shortText(title),
          },
          lineStyle: { color: theme.dim, type: 'solid', width: 1 },
        })),
    },
    markArea: {
      silent: true,
      animation: false,
      data: [
        ...annotations.flatMap(({ time, endTime, title }) =>
          endTime === undefined
            ? []
            : [
                [
                  {
                    xAxis: time,
                    name: shortText(title),
                    itemStyle: { color: theme.dim, opacity: 0.14 },
                    label: { ...label, position: 'insideTopLeft' },
                  },
                  { xAxis: endTime },
                ],
              ],
        ),
        ...partialBins(data, range).map(({ from, to, position }) => [
          {
            xAxis: from,
            name: 'partial',
            itemStyle: { color: theme.text, opacity: 0.08 },
            label: { ...label, show: hasPartialLabels(drawing), position, distance: 3 },
          },
          { xAxis: to },
        ]),
      ],
    },
  };
}

function unitOfColumn(
  { series }: TimeSeriesData,
  column: string | undefined,
  units: readonly (string | undefined)[],
): string | undefined {
  // A series of several measures is named by its groups and its measure.
  const watched = series.find(({ name }) => name === column || name.endsWith(`, ${column}`));
  return watched === undefined ? units[0] : watched.unit;
}
