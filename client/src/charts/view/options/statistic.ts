/** Single numbers, large, with their trend below. */
import type { StatisticData } from '../../chart.ts';
import { exactNumber, shortNumber } from '../format.ts';
import { inkOf } from '../palette.ts';
import { baseOption, type Drawing, type Option } from './drawing.ts';
import { type Place, places } from './places.ts';

/** More than these are not read at a glance; the others are in the table. */
export const maxStatistics = 12;

/** Pixels between a number and its name, of the lines below it, and below a trend. */
const [itemGap, nameLine, changeLine, trendGap] = [10, 20, 18, 12];

export function statisticOption({ statistics }: StatisticData, drawing: Drawing): Option {
  const { theme, width, height } = drawing;
  const shown = statistics.slice(0, maxStatistics);
  const cells = places(shown.length, width, height);
  const withTrend = shown.flatMap((statistic, index) =>
    statistic.trend === undefined ? [] : [{ trend: statistic.trend, index }],
  );
  const numbers = shown.map(({ value, text, unit }) => numberText(value, text, unit));
  // Numbers next to each other are compared, so they have one size.
  const size = Math.max(
    14,
    Math.min(
      56,
      (cells[0]?.height ?? 0) * 0.28,
      ((cells[0]?.width ?? 0) * 1.5) / Math.max(5, ...numbers.map(({ length }) => length)),
    ),
  );
  const textHeight = size * 1.2 + itemGap + nameLine + changeLine;
  return {
    ...baseOption(drawing),
    title: shown.map(({ name, change, trend }, index) => {
      const cell = cells[index] as Place;
      const changed = change === undefined ? '' : `\n{change|${changeText(change)}}`;
      const room = cell.height - (trend ? trendHeight(cell, textHeight) : 0);
      return {
        left: cell.left + cell.width / 2,
        top: cell.top + Math.max(2, (room - textHeight) / 2),
        textAlign: 'center',
        text: numbers[index] as string,
        subtext: `{name|${name.replace(/[{}|]/g, ' ')}}${changed}`,
        itemGap,
        textStyle: { color: theme.text, fontSize: size, fontWeight: 'normal' },
        subtextStyle: {
          rich: {
            name: {
              color: theme.dim,
              fontSize: theme.fontSize - 1,
              lineHeight: nameLine,
              align: 'center',
            },
            change: {
              color: theme.text,
              fontSize: theme.fontSize - 1,
              lineHeight: changeLine,
              align: 'center',
            },
          },
        },
      };
    }),
    grid: withTrend.map(({ index }) => {
      const cell = cells[index] as Place;
      return {
        left: cell.left + 16,
        width: Math.max(10, cell.width - 32),
        top: cell.top + cell.height - trendHeight(cell, textHeight),
        height: trendHeight(cell, textHeight) - trendGap,
      };
    }),
    xAxis: withTrend.map((_, grid) => ({ type: 'time', gridIndex: grid, show: false })),
    yAxis: withTrend.map((_, grid) => ({
      type: 'value',
      gridIndex: grid,
      show: false,
      scale: true,
    })),
    series: withTrend.map(({ trend, index }, grid) => ({
      type: 'line',
      silent: true,
      xAxisIndex: grid,
      yAxisIndex: grid,
      emphasis: { disabled: true },
      showSymbol: false,
      lineStyle: { color: inkOf(0, theme.brightness).color, width: 1.5 },
      areaStyle: { color: inkOf(0, theme.brightness).color, opacity: 0.15 },
      id: String(index),
      data: trend.x.map((time, at) => [time, trend.y[at] ?? null]),
    })),
  };
}

/** With the gap below it; the number and its name have what is left. */
function trendHeight({ height }: Place, textHeight: number): number {
  return Math.max(height * 0.26, Math.min(height * 0.5, height - textHeight - 2 * trendGap));
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
