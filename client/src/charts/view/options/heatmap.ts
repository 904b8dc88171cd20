/** Values over time by category, or a histogram over time: the more, the stronger. */
import type { HeatmapData } from '../../chart.ts';
import { shortNumber, timeText } from '../format.ts';
import { scales } from '../palette.ts';
import { axisStyle, baseOption, type Drawing, type Option } from './drawing.ts';
import { evenTimes } from './evenTimes.ts';

export function heatmapOption(data: HeatmapData, drawing: Drawing): Option {
  const { theme, width, timeZone } = drawing;
  const values = data.cells.map(([, , value]) => value);
  const max = values.reduce((most, value) => Math.max(most, value), 0);
  const min = values.reduce((least, value) => Math.min(least, value), 0);
  const step = data.times.length > 1 ? (data.times[1] as number) - (data.times[0] as number) : 0;
  return {
    ...baseOption(drawing),
    grid: {
      left: 8,
      right: 16,
      top: 8,
      bottom: 34,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'category',
      ...axisStyle(drawing),
      splitLine: { show: false },
      data: data.times.map((time) => timeText(time, timeZone, step)),
      axisLabel: {
        ...axisStyle(drawing).axisLabel,
        interval: isLabelled(data.times, step, { timeZone, width }),
        formatter: (text: string) => (text.length > 10 ? text.slice(11) : text),
      },
    },
    yAxis: {
      type: 'category',
      ...axisStyle(drawing),
      splitLine: { show: false },
      data: data.rows.map(({ name }) => name),
      axisLabel: {
        color: theme.text,
        fontSize: theme.fontSize - 2,
        width: Math.max(50, Math.min(220, width * 0.3)),
        overflow: 'truncate',
      },
    },
    visualMap: {
      type: 'continuous',
      min,
      max: max === min ? min + 1 : max,
      calculable: false,
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: 10,
      itemHeight: 120,
      text: [shortNumber(max, data.unit), shortNumber(min, data.unit)],
      textStyle: { color: theme.text, fontSize: theme.fontSize - 2 },
      inRange: { color: [...scales[theme.brightness]] },
    },
    series: [
      {
        type: 'heatmap',
        silent: true,
        progressive: 20_000,
        emphasis: { disabled: true },
        itemStyle: {
          borderColor: theme.background,
          borderWidth: data.cells.length > 4_000 ? 0 : 1,
        },
        data: data.cells.map((cell) => [...cell]),
      },
    ],
  };
}

/** Pixels that the label of a time needs. */
const labelWidth = 80;

/** Which columns have a label: those at even times, as on an axis of time. */
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
