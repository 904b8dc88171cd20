/** Draws top lists and pies. Their marks are the categories. */

import { counted } from '../../../../../formats/src/counts.ts';
import type { CategoriesData, ChartCategory } from '../../../../../table/src/chart/chart.ts';
import { shareText } from '../../../../../table/src/numberText.ts';
import { columnNumbers } from '../columnNumbers.ts';
import { exactText } from '../format.ts';
import { barColor, isSlice, pieOption, rowHeight, topListOption } from '../options/categories.ts';
import { type Drawing, inkOfKey, visibleOf } from '../options/drawing.ts';
import type { Drawn, Hit, Legend, LegendCell, Scale } from './drawn.ts';
import { foldedNotice, leftOutNotice, sentences, skippedNotice } from './leftOut.ts';

export function drawTopList(data: CategoriesData, drawing: Drawing): Drawn {
  const categories = visibleOf(data.categories, drawing);
  const color = (category: ChartCategory) => barColor(category, data, drawing);
  return {
    option: topListOption(data, drawing),
    height: categories.length * rowHeight + 12,
    notices: noticesOf(data),
    description: `Top list of ${measureName(data)}. ${words(categories)}`,
    marks: categories.length,
    markAt: (_, y) => {
      const index = Math.floor(
        ((y - 4) / (plotHeight(categories.length, drawing) - 8)) * categories.length,
      );
      return index >= 0 && index < categories.length ? index : undefined;
    },
    hit: (mark, scale, pointer) => {
      const category = categories[mark];
      if (category === undefined) return undefined;
      const y = 4 + ((mark + 0.5) / categories.length) * (scale.height - 8);
      return hitOf(category, color(category), data, pointer ?? [scale.width / 2, y]);
    },
  };
}

/** Returns the height that the list's rows need, or the available height if it is larger. */
function plotHeight(count: number, { height }: Drawing): number {
  return Math.max(height, count * rowHeight + 12);
}

export function drawPie(data: CategoriesData, drawing: Drawing): Drawn {
  const drawn = visibleOf(data.categories, drawing);
  const slices = drawn.filter(isSlice);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const color = (category: ChartCategory) => inkOfKey(category, drawing).color;
  const without = drawn.length - slices.length;
  return {
    option: pieOption(data, drawing),
    legend: legendOf(data, color, total),
    notices: sentences(
      ...noticesOf(data),
      without > 0 &&
        `${counted(without, 'category is', 'categories are')} not drawn: a slice needs a positive value.`,
    ),
    description: `Pie chart of ${measureName(data)}. ${words(slices)}`,
    marks: slices.length,
    markAt: (x, y, scale) => sliceAt(slices, total, x, y, scale),
    hit: (mark, scale, pointer) => {
      const slice = slices[mark];
      if (slice === undefined) return undefined;
      const at = pointer ?? [scale.width / 2, scale.height / 2];
      return {
        ...hitOf(slice, color(slice), data, at),
        note: `${shareText(slice.value / total)} of all`,
      };
    },
  };
}

/** Finds the slice at a pixel. Slices start at the top and proceed clockwise. */
function sliceAt(
  slices: readonly { readonly value: number }[],
  total: number,
  x: number,
  y: number,
  { width, height }: Scale,
): number | undefined {
  const [dx, dy] = [x - width / 2, y - height / 2];
  if (Math.hypot(dx, dy) > Math.min(width, height) * 0.46) return undefined;
  const turn = (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1;
  let sum = 0;
  for (const [index, { value }] of slices.entries()) {
    sum += value / total;
    if (turn <= sum) return index;
  }
  return slices.length > 0 ? slices.length - 1 : undefined;
}

function hitOf(
  category: ChartCategory,
  color: string,
  data: CategoriesData,
  at: readonly [number, number],
): Hit {
  const { key, name } = category;
  const several = new Set(data.categories.map(({ column }) => column)).size > 1;
  return {
    title: name,
    rows: [
      {
        key,
        name: several ? name : measureName(data),
        value: exactText(category),
        color,
      },
    ],
    hot: category,
    at,
  };
}

/** Names the measure, such as `max of bytes` if several rows were combined. */
function measureName({ measure }: CategoriesData): string {
  if (measure === undefined) return 'Value';
  return measure.combined === undefined ? measure.name : `${measure.combined} of ${measure.name}`;
}

function legendOf(
  data: CategoriesData,
  color: (category: ChartCategory) => string,
  total: number,
): Legend {
  const values = columnNumbers(data.categories);
  return {
    columns: [measureName(data), 'Share'],
    rows: data.categories.map((category, at) => ({
      key: category.key,
      name: category.name,
      color: color(category),
      cells: [
        values[at] as LegendCell,
        { text: isSlice(category) && total > 0 ? shareText(category.value / total) : '' },
      ],
      origin: category.origin,
    })),
  };
}

const combinedWords = { max: 'the greatest', last: 'the last' } as const;

function noticesOf({ categories, measure, skipped, leftOut }: CategoriesData): string[] {
  const folded = categories.find((category) => category.folded !== undefined)?.folded;
  return sentences(
    measure?.combined &&
      `Shows ${combinedWords[measure.combined]} ${measure.name} of each category.`,
    foldedNotice(folded),
    leftOutNotice(leftOut),
    skippedNotice(skipped, 'number'),
  );
}

function words(categories: readonly ChartCategory[]): string {
  const first = categories
    .slice(0, 8)
    .map((category) => `${category.name}: ${exactText(category)}`);
  const more = categories.length - first.length;
  return `${first.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
