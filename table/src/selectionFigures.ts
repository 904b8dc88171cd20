/** Summary values of a selection: counts, extremes, and sums that are exact for integers of any size. */
import { compareCells } from './cells.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { type Key, keyOf } from './columns/store.ts';
import { kinds } from './columns/values.ts';
import { type BoundedCount, distinctMax } from './countValues.ts';
import { cutSpan, type RowSpan } from './drawn.ts';
import type { Cell } from './result.ts';
import type { LongTask } from './rowSource.ts';
import { columnAt } from './tableSource.ts';
import { TotalOfNumbers } from './total.ts';
import type { CellBlock } from './viewState.ts';

export interface SelectionFigures {
  /** The number of cells, including nulls. */
  readonly cells: number;
  /** The number of non-null cells. */
  readonly count: number;
  readonly distinct: BoundedCount;
  readonly numbers: number;
  /** The columns that the next four members summarize. A sum over several columns may be meaningless. */
  readonly measured: readonly number[];
  readonly sum?: string;
  readonly avg?: string;
  /** The least and greatest number, or time if all cells are times. */
  readonly min?: string;
  readonly max?: string;
}

interface Ends {
  min: { readonly cell: Cell; readonly text: string };
  max: { readonly cell: Cell; readonly text: string };
}

export async function selectionFigures(
  table: HeldTable,
  blocks: readonly CellBlock[],
  task: LongTask,
): Promise<SelectionFigures> {
  const { arranged, shownCount } = table;
  const total = new TotalOfNumbers();
  const distinct = new Set<string>();
  const ends: { numbers?: Ends; times?: Ends } = {};
  let cells = 0;
  let count = 0;
  let isExact = true;
  let areTimes = true;
  const measured = { numbers: new Set<number>(), times: new Set<number>() };
  const parts = spansByColumn(blocks, shownCount);
  const all = parts.reduce(
    (sum, { spans }) => sum + spans.reduce((n, s) => n + s.to - s.from, 0),
    0,
  );
  for (const { index, spans } of parts) {
    const column = columnAt(table, index);
    const { store } = column;
    const keys = store.keys();
    const comparable = store.comparables();
    const seen = new Set<Key>();
    for (const { from, to } of spans) {
      for (let shown = from; shown < to; shown++) {
        if (task.due) await task.pause(cells, all);
        const row = arranged === undefined ? shown : (arranged[shown] as number);
        cells++;
        if (store.isNull(row)) continue;
        count++;
        if (isExact) {
          // Use keys that are unique within one column, because keys comparable across columns are more expensive.
          const key = keys(row);
          if (!seen.has(key)) {
            seen.add(key);
            const comparableKey = keyOf(store.kind(row), store.textOf(row));
            if (distinct.size < distinctMax) distinct.add(comparableKey);
            else isExact = distinct.has(comparableKey);
          }
        }
        if (store.kind(row) === kinds.number) {
          const value = store.cellOf(row) as number | bigint;
          total.add(value);
          measured.numbers.add(index);
          ends.numbers = widened(ends.numbers, value, () => store.textOf(row));
        } else if (store.holdsTimes) {
          measured.times.add(index);
          ends.times = widened(ends.times, comparable(row), () => store.textOf(row));
        }
        areTimes &&= store.holdsTimes;
      }
    }
  }
  const shown = total.count > 0 ? ends.numbers : areTimes ? ends.times : undefined;
  const columns = total.count > 0 ? measured.numbers : areTimes ? measured.times : [];
  const sum = total.sum();
  const avg = total.average();
  return {
    cells,
    count,
    distinct: { count: distinct.size, exact: isExact },
    numbers: total.count,
    measured: [...columns],
    ...(sum !== undefined && { sum }),
    ...(avg !== undefined && { avg }),
    ...(shown && { min: shown.min.text, max: shown.max.text }),
  };
}

function widened(ends: Ends | undefined, cell: Cell, text: () => string): Ends {
  if (ends === undefined) {
    const only = { cell, text: text() };
    return { min: only, max: only };
  }
  if (compareCells(cell, ends.min.cell) < 0) ends.min = { cell, text: text() };
  if (compareCells(cell, ends.max.cell) > 0) ends.max = { cell, text: text() };
  return ends;
}

/** Merges overlapping blocks into separate row spans by column. */
function spansByColumn(
  blocks: readonly CellBlock[],
  shownCount: number,
): { index: number; spans: RowSpan[] }[] {
  const byColumn = new Map<number, RowSpan[]>();
  for (const { fromRow, toRow, columns } of blocks) {
    const span = cutSpan({ from: fromRow, to: toRow }, shownCount);
    if (span.from === span.to) continue;
    for (const column of new Set(columns))
      byColumn.set(column, [...(byColumn.get(column) ?? []), span]);
  }
  return [...byColumn].map(([index, spans]) => ({ index, spans: merged(spans) }));
}

function merged(spans: readonly RowSpan[]): RowSpan[] {
  const result: RowSpan[] = [];
  for (const span of [...spans].sort((left, right) => left.from - right.from)) {
    const last = result.at(-1);
    if (last === undefined || span.from > last.to) result.push(span);
    else result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return result;
}
