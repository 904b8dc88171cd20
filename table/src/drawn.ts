/** Formats cells exactly and on one line, but cuts very long text. */
import { fractionDigitsOf, shownText } from './cells.ts';
import type { HeldTable } from './columns/heldTable.ts';
import { TimeStore } from './columns/timeStore.ts';
import { formatTime } from './columns/timeValues.ts';
import { split, splitNanos } from './columns/wideIntegers.ts';
import { decimalsOf, isNumeric, roundedNumber } from './numberText.ts';

/** The rows `[from, to)` of a table in display order. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

export interface DrawOptions {
  /** The time zone in which times are shown: UTC or the local zone. */
  readonly timeZone: 'utc' | 'local';
}

export interface DrawnSize {
  /** The width of the widest cell in characters, with room to align decimal points. */
  readonly characters: number;
  /** The maximum number of decimals; absent for columns without numbers. */
  readonly decimals?: number;
}

/** A cell's text on one line, cut if it is very long; null for null. */
export type DrawnCell = string | null;

export interface DrawnWindow {
  readonly from: number;
  /** The cells: one array per row, in the order of the requested columns. */
  readonly rows: readonly (readonly DrawnCell[])[];
  /** The original number of each row, from 0, which stays the same when rows are sorted. */
  readonly numbers: readonly number[];
}

/** The number of rows sampled for the fractional digits of a column that mixes times with other values. */
const sampledRows = 10_000;

/** Returns a function that formats a column's cells by original row number. */
export function drawerOf(
  table: HeldTable,
  index: number,
  { timeZone }: DrawOptions,
): (row: number) => DrawnCell {
  const column = table.columns[index];
  const type = table.fields[index]?.type ?? '';
  if (column === undefined) return () => null;
  const { store } = column;
  if (type !== 'datetime') return (row) => shownText(column.text(row), '');
  if (store instanceof TimeStore) {
    return (row) => {
      if (store.isNull(row)) return null;
      splitNanos(store.words, row);
      const { seconds, nanos } = split;
      const shift = timeZone === 'local' ? localShift(seconds) : 0;
      return formatTime(seconds + shift, nanos, store.digitsMax, ' ', '');
    };
  }
  const digits = sampledDigits(table, index);
  return (row) => shownText(column.text(row), 'datetime', digits);
}

function sampledDigits(table: HeldTable, index: number): number {
  const known = table.fractionDigits.get(index);
  if (known !== undefined) return known;
  const column = table.columns[index];
  const length = Math.min(sampledRows, table.rowCount);
  const digits = fractionDigitsOf(Array.from({ length }, (_, row) => column?.text(row) ?? null));
  table.fractionDigits.set(index, digits);
  return digits;
}

/** Returns the number of seconds that local time is ahead of UTC. */
function localShift(seconds: number): number {
  return -new Date(seconds * 1000).getTimezoneOffset() * 60;
}

/** Formats the cells of a span, clipped to the table. */
export function drawnWindow(
  table: HeldTable,
  span: RowSpan,
  columns: readonly number[],
  options: DrawOptions,
): DrawnWindow {
  const { from, to } = cutSpan(span, table.shownCount);
  const drawers = columns.map((column) => drawerOf(table, column, options));
  const rows: DrawnCell[][] = [];
  const numbers: number[] = [];
  for (let shown = from; shown < to; shown++) {
    const row = table.rowAt(shown);
    numbers.push(table.removed + row);
    rows.push(drawers.map((draw) => draw(row)));
  }
  return { from, rows, numbers };
}

/** Clips a span to a table of `count` rows. */
export function cutSpan({ from, to }: RowSpan, count: number): RowSpan {
  const first = Math.min(Math.max(0, Math.trunc(from)), count);
  return { from: first, to: Math.min(Math.max(first, Math.trunc(to)), count) };
}

/** Measures the formatted cells of columns in the first `rows` rows. */
export function drawnSizes(
  table: HeldTable,
  columns: readonly number[],
  rows: number,
  options: DrawOptions,
): DrawnSize[] {
  const count = Math.min(rows, table.rowCount);
  return columns.map((column) => {
    const draw = drawerOf(table, column, options);
    const isNumber = isNumeric(table.fields[column]?.type ?? '');
    // Null is shown as one character.
    let [characters, whole, decimals] = [count === 0 ? 0 : 1, 0, 0];
    for (let row = 0; row < count; row++) {
      const exact = draw(row);
      if (exact === null) continue;
      const text = isNumber ? roundedNumber(exact) : exact;
      characters = Math.max(characters, text.length);
      const own = isNumber ? decimalsOf(text) : 0;
      decimals = Math.max(decimals, own);
      if (own > 0) whole = Math.max(whole, text.length - own - 1);
      else if (isNumber && !/[eE]/.test(text)) whole = Math.max(whole, text.length);
    }
    if (decimals === 0) return { characters };
    return { characters: Math.max(characters, whole + 1 + decimals), decimals };
  });
}
