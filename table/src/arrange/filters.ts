/** Finds the rows that pass a table's filters, block by block. */
import { isTimestamp } from '../../../api/src/plain.ts';
import { parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';
import { ascending } from '../columns/growable.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import { entryTest, keep, noRows, notNull, type RowFilter } from '../columns/rowFilter.ts';
import type { Store } from '../columns/store.ts';
import { numberCell } from '../columns/values.ts';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import { columnAt } from '../tableSource.ts';
import type { ColumnFilter, ValueKey } from '../viewState.ts';

const blockRows = 8_192;

/** Returns the rows that pass all filters, in ascending order. Throws `Invalid`. */
export async function passing(
  table: HeldTable,
  filters: readonly ColumnFilter[],
  task: LongTask,
): Promise<Uint32Array> {
  const { rowCount } = table;
  const rowFilters: RowFilter[] = [];
  for (const filter of filters) {
    const { store } = columnAt(table, filter.column);
    rowFilters.push(await rowFilter(store, filter, task));
  }
  if (rowFilters.length === 0) return ascending(rowCount);
  const rows = new Uint32Array(rowCount);
  let kept = 0;
  for (let from = 0; from < rowCount; from += blockRows) {
    let count = Math.min(blockRows, rowCount - from);
    // Filter each block in place: accepted rows never overtake the block that is being read.
    const block = rows.subarray(kept, kept + count);
    for (let index = 0; index < count; index++) block[index] = from + index;
    for (const filter of rowFilters) count = filter(block, count);
    kept += count;
    if (task.due) await task.pause(from, rowCount);
  }
  return rows.slice(0, kept);
}

async function rowFilter(store: Store, filter: ColumnFilter, task: LongTask): Promise<RowFilter> {
  switch (filter.kind) {
    case 'isNull':
      return nullFilter(store, filter.negated === true);
    case 'number': {
      const range = { from: numberBound(filter.from), to: numberBound(filter.to) };
      return notNull(store, await store.numberFilter(range, task));
    }
    case 'time': {
      const range = { from: timeBound(filter.from), to: timeBound(filter.to) };
      return notNull(store, await store.timeFilter(range, task));
    }
    case 'text':
      return notNull(store, await store.textFilter(filter, filter.negated === true, task));
    default:
      return await valuesFilter(store, filter.values, filter.negated === true, task);
  }
}

function nullFilter({ nulls }: Store, negated: boolean): RowFilter {
  if (nulls === undefined) return negated ? (_, count) => count : noRows;
  return keep((row) => nulls.has(row) !== negated);
}

function numberBound(text: string | undefined): number | bigint | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed))
    throw new Invalid(`${text} is not a number.`);
  return numberCell(trimmed.replace(/^\+/, ''));
}

function timeBound(text: string | undefined): bigint | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  if (!isTimestamp(trimmed))
    throw new Invalid(`${text} is not a time. Write it as 2026-11-21T09:14:02Z.`);
  return parseRfc3339Nanos(trimmed);
}

async function valuesFilter(
  store: Store,
  values: readonly ValueKey[],
  negated: boolean,
  task: LongTask,
): Promise<RowFilter> {
  const wanted = new Set(values.map((value) => value && store.keyOf(value)));
  const acceptsNull = wanted.has(null) !== negated;
  const keys = store.entryKeys();
  const accepts = await entryTest(store, (entry) => wanted.has(keys(entry)) !== negated, task);
  return keep((row) => (store.isNull(row) ? acceptsNull : accepts(row)));
}
