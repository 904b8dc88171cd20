/** Histograms: converts each row's buckets to common bounds, so that rows can be drawn together. */
import { parseJson } from '../../../api/src/plain.ts';
import type { AnswerField } from '../answer.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import { figureNumber } from '../numberText.ts';
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { columnAt } from '../tableSource.ts';
import { TotalOfNumbers } from '../total.ts';
import { binsOf } from './bins.ts';
import type { CategoriesData, ChartCategory, HeatmapData } from './chart.ts';
import type { ChartContext } from './context.ts';
import { keyText } from './groups.ts';

/** The maximum number of drawn buckets. Rows with more buckets are drawn with fewer, wider buckets. */
const bucketsMax = 200;

interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly count: number | bigint;
}

type Read = Awaited<ReturnType<typeof readBuckets>>;

async function readBuckets(table: HeldTable, index: number, task: LongTask) {
  const column = columnAt(table, index);
  const rows: { readonly shown: number; readonly buckets: readonly Bucket[] }[] = [];
  let skipped = 0;
  let [min, max, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let shown = 0; shown < table.shownCount; shown++) {
    const text = column.text(table.rowAt(shown));
    const buckets = text === null ? [] : bucketsOf(text);
    if (buckets === undefined) skipped++;
    else {
      rows.push({ shown, buckets });
      most = Math.max(most, buckets.length);
      for (const { from, to } of buckets) {
        min = Math.min(min, from);
        max = Math.max(max, to);
      }
    }
    if (task.due) await task.pause(shown, table.shownCount);
  }
  return { rows, skipped, min, max, most: Math.min(most, bucketsMax) };
}

/** Returns the buckets in a cell; undefined if the cell isn't a histogram. */
function bucketsOf(text: string): Bucket[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const value = parseJson(text) as Cell;
  const list = Array.isArray(value) ? value : (value as { buckets?: unknown }).buckets;
  if (!Array.isArray(list)) return undefined;
  const buckets = list.filter(isBucket);
  return buckets.length === list.length ? buckets : undefined;
}

function isBucket(value: unknown): value is Bucket {
  if (value === null || typeof value !== 'object') return false;
  const { from, to, count } = value as Partial<Bucket>;
  return (
    Number.isFinite(Number(from)) &&
    Number.isFinite(Number(to)) &&
    (typeof count === 'number' || typeof count === 'bigint')
  );
}

/** Returns the index of the common bucket that contains a bucket's midpoint, so that counts remain integers. */
function placeOf({ from, to }: Bucket, { min, max, most }: Read): number {
  const width = (max - min) / most;
  if (!(width > 0)) return 0;
  const middle = (Number(from) + Number(to)) / 2;
  return Math.min(most - 1, Math.max(0, Math.floor((middle - min) / width)));
}

function bucketName({ min, max, most }: Read, index: number): string {
  const width = (max - min) / most;
  const [from, to] = [min + index * width, index === most - 1 ? max : min + (index + 1) * width];
  return `${rounded(from, width)} – ${rounded(to, width)}`;
}

/** Formats a bound to at least a hundredth of the bucket width, so that adjacent bounds differ. */
function rounded(value: number, width: number): string {
  if (!(width > 0)) return figureNumber(String(Number(value.toPrecision(6))));
  const step = Math.floor(Math.log10(width)) - 2;
  const whole = step > 0 ? Math.round(value / 10 ** step) * 10 ** step : value;
  return figureNumber(String(Number(whole.toFixed(Math.min(100, Math.max(0, -step))))));
}

export async function histogramHeatmap(context: ChartContext): Promise<HeatmapData> {
  const { table, described, request, task } = context;
  const index = request.histogram as number;
  const read = await readBuckets(table, index, task);
  const reader =
    request.time === undefined ? undefined : columnAt(table, request.time).store.times();
  // A histogram without times has one column, which begins at the start of the range.
  const from = Date.parse(described.range?.start ?? '') || 0;
  const timeOf = (shown: number) => reader?.milliseconds(table.rowAt(shown)) ?? from;
  const own = new Set(read.rows.map(({ shown }) => timeOf(shown)));
  own.delete(Number.NaN);
  const sorted = Float64Array.from(own).sort();
  const bins = await binsOf(sorted, context, reader !== undefined);
  const columns = new Map(Array.from(bins.times, (time, at) => [time, at]));
  const counts = new Map<number, number>();
  let skipped = read.skipped;
  for (const { shown, buckets } of read.rows) {
    const column = columns.get(timeOf(shown));
    if (column === undefined) skipped++;
    else
      for (const bucket of buckets) {
        const cell = column * read.most + placeOf(bucket, read);
        counts.set(cell, (counts.get(cell) ?? 0) + Number(bucket.count));
      }
    if (task.due) await task.pause(shown, table.shownCount);
  }
  return {
    kind: 'heatmap',
    times: Array.from(bins.times),
    rows: Array.from({ length: read.most }, (_, at) => ({ name: bucketName(read, at) })),
    cells: Array.from(
      counts,
      ([cell, count]) => [Math.floor(cell / read.most), cell % read.most, count] as const,
    ),
    skipped,
  };
}

/** Combines all rows into one category per bucket, lowest bucket first. */
export async function histogramCategories(
  { table, request, task }: ChartContext,
  kind: 'topList' | 'pie',
): Promise<CategoriesData> {
  const index = request.histogram as number;
  const read = await readBuckets(table, index, task);
  const totals = Array.from({ length: read.most }, () => new TotalOfNumbers());
  for (const { buckets } of read.rows)
    for (const bucket of buckets) totals[placeOf(bucket, read)]?.add(bucket.count);
  const { name } = table.fields[index] as AnswerField;
  const categories = totals.map((total, at): ChartCategory => {
    const text = total.sum() ?? '0';
    return {
      key: keyText([name, at]),
      name: bucketName(read, at),
      column: index,
      value: Number(text),
      text,
    };
  });
  return { kind, categories, ordered: true, skipped: read.skipped };
}
