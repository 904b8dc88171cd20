/** Single numbers, large, with their trend below. */
import type { StatisticData } from '../../chart.ts';
import { exactNumber, shortNumber } from '../format.ts';
import { inkOf } from '../palette.ts';
import { baseOption, type Drawing, type Option } from './drawing.ts';
import { type Place, places } from './places.ts';
import { statisticPlace } from './statisticPlace.ts';

/** More than these are not read at a glance; the others are in the table. */
export const maxStatistics = 12;
/** Pixels to the left and right of names and trends. */
const margin = 16;

export function statisticOption(data: StatisticData, drawing: Drawing): Option {
  const { theme, width, height } = drawing;
  const shown = data.statistics.slice(0, maxStatistics);
  const cells = places(shown.length, width, height);
  const numbers = shown.map(({ value, text, unit }) => numberText(value, text, unit));
  // Numbers next to each other are compared, so they have one size.
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
      const lines = {
        fontSize: theme.fontSize - 1,
        lineHeight: parts.line,
        align: 'center',
      };
      const nameText = inBraces('name', name);
      const separator = parts.oneLine ? '  ' : '\n';
      const changed =
        change === undefined
          ? ''
          : separator +
            inBraces('change', sentenceThatFits(change, data, parts.oneLine ? 0 : lineWidth));
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
          rich: {
            name: { ...lines, color: theme.dim },
            change: { ...lines, color: theme.text },
          },
        },
      };
    }),
    grid: trends.map(({ cell, top, height: trendHeight }) => ({
      left: cell.left + margin,
      width: Math.max(10, cell.width - 2 * margin),
      top: cell.top + top,
      height: trendHeight,
    })),
    xAxis: trends.map((_, grid) => ({ type: 'time', gridIndex: grid, show: false })),
    yAxis: trends.map((_, grid) => ({
      type: 'value',
      gridIndex: grid,
      show: false,
      scale: true,
    })),
    series: trends.map(({ trend, index }, grid) => ({
      type: 'line',
      silent: true,
      xAxisIndex: grid,
      yAxisIndex: grid,
      emphasis: { disabled: true },
      showSymbol: false,
      lineStyle: { color, width: 1.5 },
      areaStyle: { color, opacity: 0.15 },
      id: String(index),
      data: trend.x.map((time, at) => [time, trend.y[at] ?? null]),
    })),
  };
}

/** Text in a style of the library, which would read braces and bars in it as its own. */
function inBraces(style: string, text: string): string {
  return `{${style}|${text.replace(/[{}|]/g, ' ')}}`;
}

/** All digits where there is room for them. */
function numberText(value: number | null, text: string | undefined, unit?: string): string {
  if (value === null || text === undefined) return '∅';
  const exact = exactNumber(text, unit);
  return exact.length <= 26 ? exact : shortNumber(value, unit);
}

/** Such as `▲ 12.5%`. */
export function changeText(change: number): string {
  if (change === 0) return 'no change';
  return `${change > 0 ? '▲' : '▼'} ${shortNumber(Math.abs(change) * 100)}%`;
}

/** Such as `▲ 12.5% from the first to the last complete bin`. */
export function changeSentence(
  change: number,
  { partial }: Pick<StatisticData, 'partial'>,
): string {
  const last = partial?.first || partial?.last ? 'complete bin' : 'value';
  return `${changeText(change)} from the first to the last ${last}`;
}

/** Pixels of a character of small text, about. */
const characterWidth = 6.5;

function sentenceThatFits(change: number, data: StatisticData, width: number): string {
  const sentence = changeSentence(change, data);
  return sentence.length * characterWidth <= width ? sentence : changeText(change);
}
