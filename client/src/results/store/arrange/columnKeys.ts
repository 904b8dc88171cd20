/**
 * Keys of 32 bits by which the rows of a column are ordered as `compareCells` orders their values: numbers by
 * value, then text, then booleans and dynamic values by their text. Rows that are null have any key.
 */
import { compareCells } from '../../cells.ts';
import type { LongTask } from '../rowSource.ts';
import type { Column } from '../table/column.ts';
import { ascending } from '../table/growable.ts';
import { BooleanStore, FractionStore, IntegerStore } from '../table/plainStores.ts';
import { kinds } from '../table/store.ts';
import { TextStore } from '../table/textStore.ts';
import { TimeStore } from '../table/timeStore.ts';
import { mergeSort } from './mergeSort.ts';
import { rankTexts } from './textRanks.ts';

const signBit = 0x8000_0000;

/** The keys by row, the least significant first. */
export async function columnKeys(column: Column, task: LongTask): Promise<Uint32Array[]> {
  const { store } = column;
  if (store instanceof IntegerStore) return integerKeys(store);
  if (store instanceof FractionStore)
    return hasBigLiterals(store) ? [await exactRanks(column, task)] : doubleKeys(store.values);
  if (store instanceof TimeStore) return wordKeys(store.words, store.length);
  if (store instanceof BooleanStore) return [booleanKeys(store)];
  if (store instanceof TextStore) return [await textKeys(store, task)];
  return [];
}

function booleanKeys({ values, length }: BooleanStore): Uint32Array {
  const keys = new Uint32Array(length);
  for (let row = 0; row < length; row++) keys[row] = Number(values.has(row));
  return keys;
}

function integerKeys({ values, big, length }: IntegerStore): Uint32Array[] {
  if (big !== undefined) return wordKeys(new Int32Array(big.buffer), length);
  if (values instanceof Float64Array) return doubleKeys(values);
  const keys = new Uint32Array(values.length);
  for (let row = 0; row < keys.length; row++) keys[row] = (values[row] as number) ^ signBit;
  return [keys];
}

/** Keys of 64-bit integers given as two words each, the lower first. */
function wordKeys(words: Int32Array, length: number): Uint32Array[] {
  const low = new Uint32Array(length);
  const high = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    low[row] = words[row * 2] as number;
    high[row] = (words[row * 2 + 1] as number) ^ signBit;
  }
  return [low, high];
}

/** The bits of a double order as the double does, once those of negative ones are inverted. */
function doubleKeys(values: Float64Array): Uint32Array[] {
  const low = new Uint32Array(values.length);
  const high = new Uint32Array(values.length);
  const one = new Float64Array(1);
  const words = new Int32Array(one.buffer);
  for (let row = 0; row < values.length; row++) {
    // Adding zero makes -0 equal to 0.
    one[0] = (values[row] as number) + 0;
    const upper = words[1] as number;
    const sign = upper >> 31;
    low[row] = (words[0] as number) ^ sign;
    high[row] = upper ^ (sign | signBit);
  }
  return [low, high];
}

function hasBigLiterals(store: FractionStore): boolean {
  for (const row of store.literals.keys()) if (typeof store.cellOf(row) === 'bigint') return true;
  return false;
}

/** Ranks of numbers some of which are neither doubles nor 64-bit integers. */
async function exactRanks(column: Column, task: LongTask): Promise<Uint32Array> {
  return rankBy(ascending(column.length), column.length, 0, (row) => column.cell(row), task);
}

/** Sorts items by a value and gives them ranks; equal values have equal ranks. */
async function rankBy(
  items: Uint32Array,
  count: number,
  first: number,
  value: (item: number) => ReturnType<Column['cell']>,
  task: LongTask,
  ranks = new Uint32Array(count),
): Promise<Uint32Array> {
  await mergeSort(items, (left, right) => compareCells(value(left), value(right)), task);
  let rank = first;
  let before: ReturnType<Column['cell']> = null;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as number;
    const current = value(item);
    if (at > 0 && compareCells(before, current) !== 0) rank++;
    ranks[item] = rank;
    before = current;
    if ((at & 1023) === 0 && task.due) await task.pause(0, 0);
  }
  return ranks;
}

async function textKeys(store: TextStore, task: LongTask): Promise<Uint32Array> {
  const ranks = await entryRanks(store, task);
  const { codes } = store;
  if (codes === undefined) return ranks;
  const keys = new Uint32Array(store.length);
  for (let row = 0; row < keys.length; row++) keys[row] = ranks[codes[row] as number] as number;
  return keys;
}

async function entryRanks(store: TextStore, task: LongTask): Promise<Uint32Array> {
  const { heap } = store;
  const ranks = new Uint32Array(heap.count);
  const groups: [numbers: number[], texts: number[], others: number[]] = [[], [], []];
  if (store.onlyKind === kinds.text) {
    await rankTexts(heap, ascending(heap.count), ranks, 0, task);
    return ranks;
  }
  for (let entry = 0; entry < heap.count; entry++) {
    const kind = store.entryKind(entry);
    groups[kind === kinds.number ? 0 : kind === kinds.text ? 1 : 2].push(entry);
    if ((entry & 4095) === 0 && task.due) await task.pause(0, 0);
  }
  const [numbers, texts, others] = groups.map((group) => Uint32Array.from(group)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const values = new Map<number, ReturnType<Column['cell']>>();
  for (const entry of numbers)
    values.set(entry, heap.length(entry) === 0 ? 0 : store.entryCell(entry));
  await rankBy(numbers, heap.count, 0, (entry) => values.get(entry) ?? 0, task, ranks);
  const next = await rankTexts(heap, texts, ranks, numbers.length, task);
  await rankTexts(heap, others, ranks, next, task);
  return ranks;
}
