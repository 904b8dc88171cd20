/** ECharts options for large single numbers with their trends below. */

import type { StatisticChange, StatisticData } from '../../../../../table/src/chart/chart.ts';
import { shareText } from '../../../../../table/src/numberText.ts';
import { exactNumber, shortNumber, timeText } from '../format.ts';
import { inkOf } from '../palette.ts';
import { baseOption, type Drawing, inert, type Option } from './drawing.ts';
import { type Place, places } from './places.ts';
import { statisticPlace } from './statisticPlace.ts';

/** The maximum number of statistics that can be read at a glance. The table shows the rest. */
export const maxStatistics = 12;
/** The horizontal margin around names and trends, in pixels. */
const margin = 16;
/** The approximate width in pixels of a small character. */
const characterWidth = 6.5;

export function statisticOption(data: StatisticData, drawing: Drawing): Option {
  const { theme, width, height } = drawing;
  const shown = data.statistics.slice(0, maxStatistics);
  const cells = places(shown.length, width, height);
  const numbers = shown.map(({ value, text, unit }) => numberText(value, text, unit));
  // Use the same font size for all numbers, so that they can be compared.
  const parts = statisticPlace({
    width: cells[0]?.width ?? 0,
    height: cells[0]?.height ?? 0,
    characters: Math.max(...numbers.map(({ length }) => length)),
    hasTrend: shown.some(({ trend }) => trend !== undefined),
    hasChange: shown.some(({ change }) => change !== undefined),
  });
  const trends = shown.flatMap(({ trend }, index) =>
    trend === undefined || parts.trend === undefined
      ? []
      : [{ trend, index, cell: cells[index] as Place, ...parts.trend }],
  );
  const { color } = inkOf(0, theme.brightness);
  return {
    ...baseOption(drawing),
    title: shown.map(({ name, change }, index) => {
      const cell = cells[index] as Place;
      const lineWidth = cell.width - 2 * margin;
      const lines = { fontSize: theme.fontSize - 1, lineHeight: parts.line, align: 'center' };
      const nameText = inBraces('name', name);
      const separator = parts.oneLine ? '  ' : '\n';
      const nameWidth = parts.oneLine ? (name.length + separator.length) * characterWidth : 0;
      const changed =
        change === undefined
          ? ''
          : separator +
            inBraces('change', changeThatFits(change, data, drawing, lineWidth - nameWidth));
      return {
        left: cell.left + cell.width / 2,
        top: cell.top + parts.textTop,
        padding: 0,
        textAlign: 'center',
        text: numbers[index] as string,
        subtext: nameText + changed,
        itemGap: parts.gap,
        textStyle: {
          color: theme.text,
          fontSize: parts.size,
          lineHeight: parts.numberLine,
          fontWeight: 'normal',
        },
        subtextStyle: {
          width: lineWidth,
          overflow: 'truncate',
          lineHeight: parts.line,
          rich: { name: { ...lines, color: theme.dim }, change: { ...lines, color: theme.text } },
        },
      };
    }),
    grid: trends.map(({ cell, top, height: trendHeight }) => ({
      left: cell.left + margin,
      width: Math.max(10, cell.width - 2 * margin),
      top: cell.top + top,
      height: trendHeight,
    })),
    xAxis: trends.map((_, gridIndex) => ({ type: 'time', gridIndex, show: false })),
    yAxis: trends.map((_, gridIndex) => ({ type: 'value', gridIndex, show: false, scale: true })),
    series: trends.map(({ trend, index }, grid) => ({
      ...inert,
      type: 'line',
      xAxisIndex: grid,
      yAxisIndex: grid,
      showSymbol: false,
      lineStyle: { color, width: 1.5 },
      areaStyle: { color, opacity: 0.15 },
      id: String(index),
      data: trend.x.map((time, at) => [time, trend.y[at] ?? null]),
    })),
  };
}

/** Formats text with a rich-text style. Removes braces and bars, because ECharts interprets them as syntax. */
function inBraces(style: string, text: string): string {
  return `{${style}|${text.replace(/[{}|]/g, ' ')}}`;
}

/** Formats a number with its digits if they fit, otherwise compactly. */
function numberText(value: number | null, text: string | undefined, unit?: string): string {
  if (value === null || text === undefined) return '∅';
  const exact = exactNumber(text, unit);
  return exact.length <= 26 ? exact : shortNumber(value, unit);
}

/** Formats a change, such as `▲ 12.5%`. */
function changeText({ share }: StatisticChange): string {
  if (share === 0) return 'no change';
  return `${share > 0 ? '▲' : '▼'} ${shareText(Math.abs(share))}`;
}

function timesOf(
  { from, to }: StatisticChange,
  { binMilliseconds: bin }: StatisticData,
  { timeZone }: Drawing,
): [from: string, to: string] {
  return [timeText(from, timeZone, bin), timeText(to, timeZone, bin)];
}

/** Describes a change, such as `▲ 12.5% from the complete bin at 2026-01-31 08:30 to that at 2026-01-31 09:25`. */
export function changeSentence(
  change: StatisticChange,
  data: StatisticData,
  drawing: Drawing,
): string {
  const [from, to] = timesOf(change, data, drawing);
  const what = data.binMilliseconds === undefined ? 'value' : 'complete bin';
  return `${changeText(change)} from the ${what} at ${from} to that at ${to}`;
}

/** Adds the compared times to the change if they fit. Omits the day if both are on the same day. */
function changeThatFits(
  change: StatisticChange,
  data: StatisticData,
  drawing: Drawing,
  width: number,
): string {
  const [from, to] = timesOf(change, data, drawing);
  const isOneDay = from.length > 10 && from.slice(0, 10) === to.slice(0, 10);
  const [first, last] = isOneDay ? [from.slice(11), to.slice(11)] : [from, to];
  const text = `${changeText(change)} from ${first} to ${last}`;
  return text.length * characterWidth <= width ? text : changeText(change);
}
