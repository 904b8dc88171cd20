/** Marks over a time series: thresholds, annotations, and bins that the range cuts off. */
import type { TimeSeriesData } from '../../../../../table/src/chart/chart.ts';
import { shortNumber } from '../format.ts';
import { type Drawing, smallText } from './drawing.ts';
import { fittingTitles, shortText, thresholdPlaces } from './markLabels.ts';
import { type AxisRange, axisOf, endsOf, timesOf } from './timeAxis.ts';

const still = { silent: true, animation: false } as const;

function markLabel(drawing: Drawing) {
  return {
    ...smallText(drawing),
    textBorderColor: drawing.theme.background,
    textBorderWidth: 3,
  };
}

/** Returns each threshold as a series on the axis of its monitor's unit. The axis extends to the threshold's value. */
export function thresholdSeries(
  data: TimeSeriesData,
  drawing: Drawing,
  units: readonly (string | undefined)[],
) {
  const { theme, thresholds } = drawing;
  const time = data.series.flatMap((series) => timesOf(series, data).slice(0, 1))[0];
  if (time === undefined) return [];
  const values = thresholds.map(({ value }) => value);
  const places = thresholdPlaces(values, greatestOf(data, values), drawing);
  return thresholds.map(({ monitor, value, column }, index) => {
    const position = places[index];
    const unit = unitOfColumn(data, column, units);
    return {
      id: `threshold ${index}`,
      type: 'line',
      silent: true,
      // Add an invisible point, because ECharts doesn't extend the axis for marks.
      data: [[time, value]],
      symbol: 'none',
      yAxisIndex: axisOf(units, unit),
      z: 5,
      markLine: {
        ...still,
        symbol: 'none',
        lineStyle: { color: theme.text, type: [8, 4], width: 1.2 },
        label: {
          ...markLabel(drawing),
          show: position !== undefined,
          position: position ?? 'insideEndTop',
          formatter: `${shortText(monitor)} ${shortNumber(value, unit)}`,
        },
        data: [{ yAxis: value, name: monitor }],
      },
    };
  });
}

/** Returns the approximate maximum of the axis. Stacked bars may exceed it. */
function greatestOf({ series }: TimeSeriesData, values: readonly number[]): number {
  let greatest = Math.max(0, ...values);
  for (const { y } of series) for (const value of y) greatest = Math.max(greatest, value ?? 0);
  return greatest;
}

/** Returns whether labels for partial bins fit above the data. If not, a notice names the partial bins. */
export function hasPartialLabels({ height }: Pick<Drawing, 'height'>): boolean {
  return height >= 180;
}

/** Draws bins that the range cuts off. A label may be wider than its bin, so it starts at the plot's edge. */
function partialBins(data: TimeSeriesData, { min = -Infinity, max = Infinity }: AxisRange) {
  const { partial, binMilliseconds: bin } = data;
  const [first, last] = endsOf(data);
  if (bin === undefined || !Number.isFinite(first)) return [];
  const cut = (time: number) => ({ from: Math.max(min, time), to: Math.min(max, time + bin) });
  return [
    ...(partial.first ? [{ ...cut(first), position: 'insideTopLeft' }] : []),
    // Draw a single bin only once, even if it is cut off at both ends.
    ...(partial.last && !(partial.first && first === last)
      ? [{ ...cut(last), position: 'insideTopRight' }]
      : []),
  ];
}

/** Returns the height in pixels above the plot for labels of annotations and the topmost threshold. */
export function labelRoom({ theme, annotations, thresholds }: Drawing): number {
  const isNeeded =
    thresholds.length > 0 || annotations.some(({ endTime }) => endTime === undefined);
  return isNeeded ? theme.fontSize + 2 : 0;
}

/** A series without data, which only carries the marks. */
const carrier = { type: 'line', silent: true, data: [], yAxisIndex: 0 } as const;

export function marksSeries(data: TimeSeriesData, drawing: Drawing, range: AxisRange) {
  const label = { ...markLabel(drawing), show: hasPartialLabels(drawing), distance: 3 };
  return {
    ...carrier,
    id: 'marks',
    z: 5,
    markArea: {
      ...still,
      data: partialBins(data, range).map(({ from, to, position }) => [
        {
          xAxis: from,
          name: 'partial',
          itemStyle: { color: drawing.theme.text, opacity: 0.08 },
          label: { ...label, position },
        },
        { xAxis: to },
      ]),
    },
  };
}

/** The minimum drawn width of a span in pixels. */
const spanMin = 5;

/** Returns a span's drawn range and opacity. A span too narrow to be visible is widened and drawn more opaque. */
function drawnSpan(time: number, endTime: number, { min, max }: AxisRange, { width }: Drawing) {
  const length = ((max ?? 0) - (min ?? 0)) * (spanMin / width);
  const isOutside = endTime < (min ?? -Infinity) || time > (max ?? Infinity);
  if (endTime - time >= length || isOutside) return { from: time, to: endTime, opacity: 0.14 };
  // Keep the span's end, because a monitor's latest run is at the axis's end.
  const from = Math.max(min ?? -Infinity, Math.min(endTime, max ?? Infinity) - length);
  return { from, to: from + length, opacity: 0.5 };
}

/** Draws points in time as lines with titles, and spans as areas in front of the bars, which would hide them. */
export function annotationSeries(drawing: Drawing, range: AxisRange) {
  const { theme, annotations } = drawing;
  const label = markLabel(drawing);
  const titles = fittingTitles(annotations, range, drawing);
  return {
    ...carrier,
    id: 'annotations',
    z: 5,
    markLine: {
      ...still,
      symbol: 'none',
      data: annotations
        .filter(({ endTime }) => endTime === undefined)
        .map((annotation) => ({
          xAxis: annotation.time,
          name: annotation.title,
          label: {
            ...label,
            show: titles.get(annotation) !== '',
            position: 'insideEndTop',
            rotate: 0,
            align: 'left',
            formatter: titles.get(annotation) ?? '',
          },
          lineStyle: { color: theme.dim, type: 'solid', width: 1 },
        })),
    },
    markArea: {
      ...still,
      z: 4,
      data: annotations.flatMap((annotation) => {
        const { time, endTime } = annotation;
        if (endTime === undefined) return [];
        const { from, to, opacity } = drawnSpan(time, endTime, range, drawing);
        const area = {
          xAxis: from,
          name: titles.get(annotation) ?? '',
          itemStyle: { color: theme.dim, opacity },
          label: { ...label, position: 'insideTopLeft' },
        };
        return [[area, { xAxis: to }]];
      }),
    },
  };
}

function unitOfColumn(
  { series }: TimeSeriesData,
  column: string | undefined,
  units: readonly (string | undefined)[],
): string | undefined {
  // Match the end of the series name: with several measures, it is the measure's name.
  const watched = series.find(({ name }) => name === column || name.endsWith(`, ${column}`));
  return watched === undefined ? units[0] : watched.unit;
}
