/** ECharts options for top lists and pies. */

import type { CategoriesData, ChartCategory } from '../../../../../table/src/chart/chart.ts';
import { shareText } from '../../../../../table/src/numberText.ts';
import { shortNumber } from '../format.ts';
import { inkOf, neutral } from '../palette.ts';
import {
  axisStyle,
  baseOption,
  type Drawing,
  gridStyle,
  inert,
  inkOfKey,
  noAxisLine,
  type Option,
  smallText,
  visibleOf,
} from './drawing.ts';

/** The height in pixels of a bar including the gap below it. */
export const rowHeight = 24;

type Slice = ChartCategory & { readonly value: number };

/** Returns whether a pie can show the category, which requires a positive value. */
export function isSlice(category: ChartCategory): category is Slice {
  return category.value !== null && category.value > 0;
}

/** Returns whether all bars share a color, because they are from one column. */
export function hasOneColor({ categories }: CategoriesData): boolean {
  return categories.every(({ column }) => column === categories[0]?.column);
}

export function barColor(category: ChartCategory, data: CategoriesData, drawing: Drawing): string {
  const { brightness } = drawing.theme;
  if (category.folded !== undefined) return neutral[brightness];
  return (hasOneColor(data) ? inkOf(0, brightness) : inkOfKey(category, drawing)).color;
}

export function topListOption(data: CategoriesData, drawing: Drawing): Option {
  const { theme, width } = drawing;
  const categories = visibleOf(data.categories, drawing);
  return {
    ...baseOption(drawing),
    grid: { ...gridStyle, right: 64, top: 4, bottom: 4 },
    xAxis: {
      ...noAxisLine,
      type: 'value',
      axisLabel: { show: false },
      splitLine: { show: false },
    },
    yAxis: {
      ...axisStyle(drawing),
      ...noAxisLine,
      type: 'category',
      inverse: true,
      axisLabel: {
        color: theme.text,
        fontSize: theme.fontSize - 1,
        width: Math.max(60, Math.min(280, width * 0.35)),
        overflow: 'truncate',
        interval: 0,
      },
      data: categories.map(({ name }) => name),
    },
    series: [
      {
        ...inert,
        type: 'bar',
        barMaxWidth: rowHeight - 8,
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: theme.fontSize - 1,
          formatter: ({ dataIndex }: { dataIndex: number }) => {
            const category = categories[dataIndex];
            if (category === undefined || category.value === null) return 'null';
            return shortNumber(category.value, category.unit);
          },
        },
        data: categories.map((category) => ({
          value: category.value,
          itemStyle: { color: barColor(category, data, drawing) },
        })),
      },
    ],
  };
}

/** The minimum label width in pixels that fits the share and a few letters of the name. */
const NAMED_LABEL_WIDTH = 100;

export function pieOption(data: CategoriesData, drawing: Drawing): Option {
  const { theme, width, height } = drawing;
  const slices = visibleOf(data.categories, drawing).filter(isSlice);
  const labels = width >= 340 && height >= 160;
  const [inner, outer] = labels ? [0.38, 0.72] : [0.45, 0.92];
  // The space between the pie and the chart's edge, without the label lines.
  const room = (width - Math.min(width, height) * outer) / 2 - 56;
  const labelWidth = Math.max(48, Math.min(width * 0.22, room));
  // Omit a name that wouldn't fit, because the legend has it.
  const isNamed = labelWidth >= NAMED_LABEL_WIDTH;
  return {
    ...baseOption(drawing),
    series: [
      {
        ...inert,
        type: 'pie',
        radius: [`${inner * 100}%`, `${outer * 100}%`],
        center: ['50%', '50%'],
        avoidLabelOverlap: true,
        itemStyle: { borderColor: theme.background, borderWidth: 1.5 },
        label: {
          ...smallText(drawing),
          show: labels,
          width: labelWidth,
          overflow: 'truncate',
          formatter: ({ dataIndex, percent }: { dataIndex: number; percent: number }) =>
            shareText(percent / 100) + (isNamed ? ` ${slices[dataIndex]?.name ?? ''}` : ''),
        },
        labelLine: { lineStyle: { color: theme.dim } },
        data: slices.map((slice) => ({
          name: slice.key,
          value: slice.value,
          itemStyle: { color: inkOfKey(slice, drawing).color },
        })),
      },
    ],
  };
}
