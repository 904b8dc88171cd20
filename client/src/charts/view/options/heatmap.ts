/** ECharts options for values by time and category, or for a histogram over time. Larger values are more intense. */
import type { HeatmapData } from '../../../../../table/src/chart/chart.ts';
import { shortNumber, timeText } from '../format.ts';
import { scales } from '../palette.ts';
import {
  axisStyle,
  baseOption,
  type Drawing,
  gridStyle,
  inert,
  type Option,
  smallText,
} from './drawing.ts';
import { evenTimes } from './evenTimes.ts';
import { heatScale } from './heatScale.ts';

export function heatmapOption(data: HeatmapData, drawing: Drawing): Option {
  const { theme, width, height, timeZone } = drawing;
  const scale = scalePlace(drawing);
  const rowHeight = (height - gridTop - timeLabels - scale.bottom) / Math.max(1, data.rows.length);
  const { least, greatest, placeOf } = heatScale(data);
  const step = stepOf(data.times);
  const style = { ...axisStyle(drawing), splitLine: { show: false } };
  return {
    ...baseOption(drawing),
    grid: { ...gridStyle, right: scale.right, top: gridTop, bottom: scale.bottom },
    xAxis: {
      ...style,
      type: 'category',
      data: data.times.map((time) => timeText(time, timeZone, step)),
      axisLabel: {
        ...style.axisLabel,
        interval: isLabelled(data.times, step, { timeZone, width }),
        formatter: (text: string) => (text.length > 10 ? text.slice(11) : text),
      },
    },
    yAxis: {
      ...style,
      type: 'category',
      data: data.rows.map(({ name }) => name),
      axisLabel: {
        ...smallText(drawing),
        width: Math.max(50, Math.min(220, width * 0.3)),
        overflow: 'truncate',
        interval: Math.max(0, Math.ceil((theme.fontSize + 3) / rowHeight) - 1),
      },
    },
    visualMap: {
      type: 'continuous',
      min: 0,
      max: 1,
      calculable: false,
      ...scale.option,
      itemWidth: 10,
      text: [shortNumber(greatest, data.unit), shortNumber(least, data.unit)],
      textStyle: smallText(drawing),
      inRange: { color: [...scales[theme.brightness]] },
    },
    series: [
      {
        ...inert,
        type: 'heatmap',
        progressive: 20_000,
        itemStyle: {
          borderColor: theme.background,
          borderWidth: Math.min(rowHeight, width / data.times.length) < 8 ? 0 : 1,
        },
        data: data.cells.map(([column, row, value]) => [column, row, placeOf(value)]),
      },
    ],
  };
}

/** Returns the milliseconds between the first two times; 0 if there is only one time. */
export function stepOf([first = 0, second = first]: readonly number[]): number {
  return second - first;
}

/** The height in pixels of the gap above the cells, and of the labels below them. */
const [gridTop, timeLabels] = [6, 22];
/** The minimum width in pixels at which the scale is placed to the right of the cells, which saves height. */
const scaleBesideFrom = 440;

/** Returns the scale's position. `right` and `bottom` are the margins of the cell area in pixels. */
function scalePlace({ width, height }: Drawing) {
  if (width < scaleBesideFrom)
    return {
      right: 16,
      bottom: 34,
      option: { orient: 'horizontal', left: 'center', bottom: 0, itemHeight: 120 },
    };
  return {
    right: 72,
    bottom: 2,
    option: {
      orient: 'vertical',
      right: 12,
      top: 'middle',
      itemHeight: Math.max(20, Math.min(120, height - 70)),
    },
  };
}

/** The width in pixels reserved for a time label. */
const labelWidth = 80;

/** Selects the columns to label: those at round times, or else every n-th column. */
function isLabelled(
  times: readonly number[],
  step: number,
  { timeZone, width }: Pick<Drawing, 'timeZone' | 'width'>,
): number | ((index: number) => boolean) {
  const most = Math.max(1, Math.floor(width / labelWidth));
  const even = evenTimes(times, step, timeZone, most);
  return even.size === 0
    ? Math.max(0, Math.ceil(times.length / most) - 1)
    : (index) => even.has(index);
}
