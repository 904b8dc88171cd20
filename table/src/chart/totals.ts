/** Totals from the table `_totals`, for values such as percentiles that can't be computed from bins. */
import type { ChartContext } from './context.ts';
import { type Points, seriesKey } from './measures.ts';
import { readPoints } from './points.ts';

/** Returns the exact text of a group's value over the entire range; undefined if the answer lacks it. */
export type WholeText = (group: number, measure: number) => string | undefined;

export async function wholeTexts(context: ChartContext, points: Points): Promise<WholeText> {
  const none = () => undefined;
  const { table, totals, request, task } = context;
  const needsTotals = points.measures.some(({ combining }) => combining === 'last');
  // The totals ignore the grid's filters, so use them only if all rows are shown.
  const isWhole = table.shownCount === table.rowCount;
  if (request.time === undefined || totals === undefined || !needsTotals || !isWhole) return none;
  const named = (index: number) =>
    totals.fields.findIndex(({ name }) => name === table.fields[index]?.name);
  const measured = [...new Set(points.measures.map(({ column }) => column))];
  const values = measured.map(named);
  const groups = request.groups.map(named);
  if ([...values, ...groups].some((index) => index < 0)) return none;
  const { timeZone } = request;
  const whole = await readPoints(totals, { values, groups, timeZone }, task);
  if (whole.grouping.count !== whole.count) return none;
  const texts = new Map<string, string>();
  for (let point = 0; point < whole.count; point++) {
    for (let measure = 0; measure < whole.measures.length; measure++) {
      if (whole.measures[measure]?.combining !== 'last') continue;
      if (Number.isNaN(whole.values[measure]?.[point])) continue;
      const key = seriesKey(whole, whole.groups[point] as number, measure);
      texts.set(key, whole.text(point, measure));
    }
    if (task.due) await task.pause(point, whole.count);
  }
  return (group, measure) => texts.get(seriesKey(points, group, measure));
}
