/** Top lists and pies: one value per group, or per measure if there are no groups. */

import { numberCell } from '../columns/values.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import { TotalOfNumbers } from '../total.ts';
import type { CategoriesData, CategoryMeasure, ChartCategory } from './chart.ts';
import type { ChartContext } from './context.ts';
import { histogramCategories } from './histogram.ts';
import { type Measure, markOf, type Points } from './measures.ts';
import { readPoints } from './points.ts';
import { combinedValue, type Divided, divided, greatest, textOfPoints } from './series.ts';
import { type WholeText, wholeTexts } from './totals.ts';

export async function categories(
  context: ChartContext,
  kind: 'topList' | 'pie',
): Promise<CategoriesData> {
  const { request, table, task } = context;
  if (request.histogram !== undefined) return await histogramCategories(context, kind);
  // Measures become categories only if the chart has no groups.
  const values = request.groups.length > 0 ? request.values.slice(0, 1) : request.values;
  // If a category has several events, show their greatest value, because the last one doesn't represent the others.
  const areEvents = !context.aggregated && table.fields[request.time ?? -1]?.type !== 'array';
  const points = await readPoints(table, { ...request, values, areEvents }, task);
  const byGroup = await divided(points, undefined, points.grouping.count, task);
  const measureCount = points.measures.length;
  const whole = await wholeTexts(context, points);
  const doubles = await combinedValues(points, byGroup, whole, task);
  // Indexed by group and measure. Categories without a value are sorted last.
  const sizes = doubles.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));
  const text = (at: number): string | null => {
    const [group, measure] = [Math.floor(at / measureCount), at % measureCount];
    const { atOneTime } = points.measures[measure] as Measure;
    const own = byGroup.points.subarray(byGroup.starts[group], byGroup.starts[group + 1]);
    return whole(group, measure) ?? textOfPoints(points, own, measure, atOneTime);
  };
  const kept = greatest(sizes, request.maxSeries, (at) => numberCell(text(at) as string));
  const found = kept.map((at) =>
    category(points, Math.floor(at / measureCount), at % measureCount, text(at)),
  );
  const others = sizes.length - kept.length;
  const folds = others > 0 && measureCount === 1 && points.measures[0]?.combining === 'sum';
  if (folds) {
    const isKept = new Uint8Array(sizes.length);
    for (const at of kept) isKept[at] = 1;
    const total = new TotalOfNumbers();
    await inSlices(points.count, task, (from, to) => {
      for (let point = from; point < to; point++) {
        const isLeft = isKept[points.groups[point] as number] === 0;
        if (isLeft && !Number.isNaN(points.values[0]?.[point])) total.add(points.exact(point, 0));
      }
    });
    found.push({ ...category(points, undefined, 0, total.sum() ?? null), folded: others });
  }
  return {
    kind,
    ...(measureCount === 1 && { measure: measureOf(points, byGroup, whole) }),
    categories: found,
    ...(others > 0 && !folds && { leftOut: others }),
    skipped: points.skipped,
  };
}

/** Returns the column's name, and how a category's values were combined. */
function measureOf(points: Points, { starts }: Divided, whole: WholeText): CategoryMeasure {
  const { name, combining, atOneTime } = points.measures[0] as Measure;
  const isChosen = (_: unknown, group: number) =>
    (starts[group + 1] as number) - (starts[group] as number) > 1 && whole(group, 0) === undefined;
  // The column's name still describes a combined sum or extreme of summaries, so no explanation is needed.
  if (combining !== 'last' || !Array.from({ length: points.grouping.count }).some(isChosen))
    return { name };
  return { name, combined: atOneTime === 'max' ? 'max' : 'last' };
}

/** Returns each group's value of each measure as a double; `NaN` if there is none. */
async function combinedValues(
  points: Points,
  { starts, points: order }: Divided,
  whole: WholeText,
  task: LongTask,
): Promise<Float64Array> {
  const measureCount = points.measures.length;
  const result = new Float64Array(points.grouping.count * measureCount).fill(Number.NaN);
  for (let group = 0; group < points.grouping.count; group++) {
    const end = starts[group + 1] as number;
    for (let measure = 0; measure < measureCount; measure++) {
      const { atOneTime } = points.measures[measure] as Measure;
      const from = starts[group] as number;
      const text = whole(group, measure);
      result[group * measureCount + measure] =
        text === undefined
          ? combinedValue(points, order, from, end, measure, atOneTime)
          : Number(text);
    }
    if (task.due) await task.pause(group, points.grouping.count);
  }
  return result;
}

/** Creates a group's category, or the category of all folded groups if `group` is undefined. */
export function category(
  points: Points,
  group: number | undefined,
  measure: number,
  text: string | null,
): ChartCategory {
  const mark = markOf(points, group, measure);
  return text === null ? { ...mark, value: null } : { ...mark, value: Number(text), text };
}
