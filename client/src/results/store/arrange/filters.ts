/**
 * Filters as functions that reduce a block of row numbers to those that pass. Each is made for the way its
 * column is stored, so that the loop over a block reads a typed array and nothing else.
 */
import { isTimestamp } from '../../../../../api/src/plain.ts';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import type { Column } from '../table/column.ts';
import { ascending } from '../table/growable.ts';
import { FractionStore, IntegerStore, NullStore } from '../table/plainStores.ts';
import { kindNames, numberCell, type Store } from '../table/store.ts';
import { TextStore } from '../table/textStore.ts';
import { TimeStore } from '../table/timeStore.ts';
import type { ColumnFilter, ValueKey } from '../viewState.ts';
import { matcherOf, type TextCondition } from './matcher.ts';
import { entryMatches } from './textMatches.ts';
import { nanosOf } from './times.ts';

/** Keeps those of the first `count` rows of a block that pass, in order; returns how many. */
type BlockFilter = (block: Uint32Array, count: number) => number;

const blockRows = 8_192;

/** The rows below `rowCount` that pass all filters, ascending. Throws `Invalid`. */
export async function passing(
  rowCount: number,
  columns: readonly Column[],
  filters: readonly ColumnFilter[],
  task: LongTask,
): Promise<Uint32Array> {
  const blockFilters: BlockFilter[] = [];
  for (const filter of filters) {
    const column = columns[filter.column];
    if (column === undefined) throw new Invalid(`There is no column ${filter.column}.`);
    blockFilters.push(await blockFilter(column, filter, task));
  }
  if (blockFilters.length === 0) return ascending(rowCount);
  const rows = new Uint32Array(rowCount);
  let kept = 0;
  for (let from = 0; from < rowCount; from += blockRows) {
    let count = Math.min(blockRows, rowCount - from);
    // Results are never ahead of what is read, so each block is filtered in place.
    const block = rows.subarray(kept, kept + count);
    for (let index = 0; index < count; index++) block[index] = from + index;
    for (const filter of blockFilters) count = filter(block, count);
    kept += count;
    if (task.due) await task.pause(from, rowCount);
  }
  return rows.slice(0, kept);
}

async function blockFilter(
  column: Column,
  filter: ColumnFilter,
  task: LongTask,
): Promise<BlockFilter> {
  switch (filter.kind) {
    case 'isNull':
      return nullFilter(column, filter.negated === true);
    case 'number':
      return numberFilter(column, numberBound(filter.from), numberBound(filter.to), task);
    case 'time':
      return timeFilter(column, timeBound(filter.from), timeBound(filter.to), task);
    case 'text':
      return textFilter(column, filter, filter.negated === true, task);
    default:
      return valuesFilter(column, filter.values, filter.negated === true, task);
  }
}

const nothing: BlockFilter = () => 0;

function nullFilter(column: Column, negated: boolean): BlockFilter {
  const { nulls } = column.store;
  if (column.store instanceof NullStore) return negated ? nothing : (_, count) => count;
  if (nulls === undefined) return negated ? (_, count) => count : nothing;
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      if (nulls.has(row) !== negated) block[kept++] = row;
    }
    return kept;
  };
}

/** The filter without the rows that are null. */
function notNull(store: Store, filter: BlockFilter): BlockFilter {
  const { nulls } = store;
  if (nulls === undefined) return filter;
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      if (!nulls.has(row)) block[kept++] = row;
    }
    return filter(block, kept);
  };
}

// --- Numbers -------------------------------------------------------------------------------------

type Exact = number | bigint;

function numberBound(text: string | undefined): Exact | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const trimmed = text.trim();
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed))
    throw new Invalid(`${text} is not a number.`);
  return numberCell(trimmed.replace(/^\+/, ''));
}

function numberFilter(
  { store }: Column,
  from: Exact | undefined,
  to: Exact | undefined,
  task: LongTask,
): BlockFilter | Promise<BlockFilter> {
  const accepts = (value: unknown): boolean =>
    (typeof value === 'number' || typeof value === 'bigint') &&
    (from === undefined || value >= from) &&
    (to === undefined || value <= to);
  if (store instanceof IntegerStore && store.big !== undefined)
    return notNull(store, bigRange(store.big, wholeFrom(from), wholeTo(to)));
  if (store instanceof IntegerStore || store instanceof FractionStore) {
    const range = doubleRange(
      store.values,
      from === undefined ? Number.NEGATIVE_INFINITY : Number(from),
      to === undefined ? Number.POSITIVE_INFINITY : Number(to),
    );
    const isExact = typeof from !== 'bigint' && typeof to !== 'bigint';
    const hasLiterals = store instanceof FractionStore && store.literals.size > 0;
    if (!hasLiterals && (isExact || store instanceof IntegerStore)) return notNull(store, range);
    return notNull(store, (block, count) =>
      keep(block, count, (row) => accepts(store.cellOf(row))),
    );
  }
  if (store instanceof TextStore)
    return entryFilter(store, (entry) => accepts(store.entryCell(entry)), task);
  return nothing;
}

function doubleRange(values: IntegerStore['values'], from: number, to: number): BlockFilter {
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      const value = values[row] as number;
      block[kept] = row;
      kept += Number(value >= from && value <= to);
    }
    return kept;
  };
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function wholeFrom(bound: Exact | undefined): bigint {
  if (bound === undefined) return minInt64;
  if (typeof bound === 'bigint') return bound;
  return Number.isFinite(bound) ? BigInt(Math.ceil(bound)) : bound > 0 ? maxInt64 + 1n : minInt64;
}

function wholeTo(bound: Exact | undefined): bigint {
  if (bound === undefined) return maxInt64;
  if (typeof bound === 'bigint') return bound;
  return Number.isFinite(bound) ? BigInt(Math.floor(bound)) : bound > 0 ? maxInt64 : minInt64 - 1n;
}

function bigRange(values: BigInt64Array, from: bigint, to: bigint): BlockFilter {
  if (from > maxInt64 || to < minInt64) return nothing;
  const first = from < minInt64 ? minInt64 : from;
  const last = to > maxInt64 ? maxInt64 : to;
  return wordRange(new Int32Array(values.buffer, values.byteOffset), first, last);
}

/** 64-bit integers from `from` to `to`, both included, by their words: comparing bigints is slower. */
function wordRange(words: Int32Array, from: bigint, to: bigint): BlockFilter {
  const [fromHigh, fromLow] = [Number(from >> 32n), Number(from & 0xffff_ffffn)];
  const [toHigh, toLow] = [Number(to >> 32n), Number(to & 0xffff_ffffn)];
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      const high = words[row * 2 + 1] as number;
      if (high < fromHigh || high > toHigh) continue;
      const low = (words[row * 2] as number) >>> 0;
      if ((high > fromHigh || low >= fromLow) && (high < toHigh || low <= toLow))
        block[kept++] = row;
    }
    return kept;
  };
}

// --- Times ---------------------------------------------------------------------------------------

function timeBound(text: string | undefined): bigint | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (!isTimestamp(text.trim()))
    throw new Invalid(`${text} is not a time. Write it as 2026-11-21T09:14:02Z.`);
  return nanosOf(text.trim());
}

function timeFilter(
  { store }: Column,
  from: bigint | undefined,
  to: bigint | undefined,
  task: LongTask,
): BlockFilter | Promise<BlockFilter> {
  const first = from ?? minInt64;
  const last = to === undefined ? maxInt64 : to - 1n;
  if (store instanceof TimeStore) {
    if (first > maxInt64 || last < minInt64 || first > last) return nothing;
    return notNull(
      store,
      wordRange(
        store.words,
        first < minInt64 ? minInt64 : first,
        last > maxInt64 ? maxInt64 : last,
      ),
    );
  }
  if (!(store instanceof TextStore)) return nothing;
  const accepts = (entry: number) => {
    const cell = store.entryCell(entry);
    if (typeof cell !== 'string' || !isTimestamp(cell)) return false;
    const nanos = nanosOf(cell);
    return (from === undefined || nanos >= from) && (to === undefined || nanos < to);
  };
  return entryFilter(store, accepts, task);
}

// --- Text and values -----------------------------------------------------------------------------

function keep(block: Uint32Array, count: number, accepts: (row: number) => boolean): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = block[index] as number;
    if (accepts(row)) block[kept++] = row;
  }
  return kept;
}

/** A filter on the texts of a store: each different one is looked at once. */
async function entryFilter(
  store: TextStore,
  accepts: (entry: number) => boolean,
  task: LongTask,
): Promise<BlockFilter> {
  const { codes, heap } = store;
  if (codes === undefined)
    return notNull(store, (block, count) => keep(block, count, (row) => accepts(row)));
  const accepted = new Uint8Array(heap.count);
  for (let entry = 0; entry < heap.count; entry++) {
    accepted[entry] = Number(accepts(entry));
    if (task.due) await task.pause(0, 0);
  }
  return codeFilter(store, codes, accepted);
}

function acceptedRows(accepted: Uint8Array): BlockFilter {
  return (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      block[kept] = row;
      kept += accepted[row] as number;
    }
    return kept;
  };
}

function codeFilter(
  store: TextStore,
  codes: NonNullable<TextStore['codes']>,
  accepted: Uint8Array,
): BlockFilter {
  return notNull(store, (block, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = block[index] as number;
      block[kept] = row;
      kept += accepted[codes[row] as number] as number;
    }
    return kept;
  });
}

async function textFilter(
  column: Column,
  condition: TextCondition,
  negated: boolean,
  task: LongTask,
): Promise<BlockFilter> {
  const { store } = column;
  if (store instanceof NullStore) return nothing;
  const wanted = negated ? 0 : 1;
  if (store instanceof TextStore) {
    const accepted = await entryMatches(store, condition, task);
    if (negated)
      for (let at = 0; at < accepted.length; at++) accepted[at] = 1 - (accepted[at] as number);
    if (store.codes !== undefined) return codeFilter(store, store.codes, accepted);
    return notNull(store, acceptedRows(accepted));
  }
  const matcher = matcherOf(condition);
  const results = new Uint8Array(blockRows);
  return notNull(store, (block, count) => {
    const texts = Array.from({ length: count }, (_, at) => store.textOf(block[at] as number));
    matcher(texts, results);
    let kept = 0;
    for (let at = 0; at < count; at++)
      if (results[at] === wanted) block[kept++] = block[at] as number;
    return kept;
  });
}

/** Distinguishes a value from all others of its column; numbers by value, whatever their text. */
function valueKeyText(key: ValueKey): string {
  if (key === null) return 'null';
  return key.kind === 'number' ? `number ${numberCell(key.text)}` : `${key.kind} ${key.text}`;
}

async function valuesFilter(
  column: Column,
  values: readonly ValueKey[],
  negated: boolean,
  task: LongTask,
): Promise<BlockFilter> {
  const wanted = new Set(values.map(valueKeyText));
  const acceptsNull = wanted.has('null') !== negated;
  const { store } = column;
  const keyOf = (row: number) =>
    valueKeyText({ kind: kindNames[store.kind(row)], text: store.textOf(row) });
  if (store instanceof TextStore && store.codes !== undefined) {
    const { codes, heap } = store;
    const accepted = new Uint8Array(heap.count);
    for (let entry = 0; entry < heap.count; entry++) {
      const key = { kind: kindNames[store.entryKind(entry)], text: heap.text(entry) };
      accepted[entry] = Number(wanted.has(valueKeyText(key)) !== negated);
      if (task.due) await task.pause(0, 0);
    }
    return (block, count) =>
      keep(block, count, (row) =>
        store.isNull(row) ? acceptsNull : accepted[codes[row] as number] === 1,
      );
  }
  if (store instanceof IntegerStore && store.big === undefined) {
    const numbers = new Set(
      values.flatMap((key) => (key?.kind === 'number' ? Number(key.text) : [])),
    );
    return (block, count) =>
      keep(block, count, (row) =>
        store.isNull(row) ? acceptsNull : numbers.has(store.values[row] as number) !== negated,
      );
  }
  return (block, count) =>
    keep(block, count, (row) =>
      column.isNull(row) ? acceptsNull : wanted.has(keyOf(row)) !== negated,
    );
}
