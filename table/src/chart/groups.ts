/** Numbers the groups of rows: one number per combination of group column values, in order of appearance. */

import { createHash } from 'node:crypto';
import { shownText } from '../cells.ts';
import type { Column } from '../columns/column.ts';
import { roomFor } from '../columns/growable.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import type { Key } from '../columns/store.ts';
import { valueKey } from '../countValues.ts';
import { type DrawOptions, drawerOf } from '../drawn.ts';
import { columnAt } from '../tableSource.ts';
import { cutText, shortened } from '../visibleText.ts';
import type { MarkOrigin } from './chart.ts';

/** The limit for codes and group numbers, so that a double can represent a pair of them. */
const codesMax = 2 ** 26;
const nameMax = 120;
const keyMax = 200;

export class Groups {
  readonly #table: HeldTable;
  readonly #columns: readonly number[];
  readonly #options: DrawOptions;
  readonly #coders: readonly ((row: number) => number)[];
  /** Combination numbers plus one: by code for the first column, and by pair in `#pairs` for the other columns. */
  #first = new Int32Array(64);
  readonly #pairs: readonly Map<number, number>[];
  /** At index n: the number of distinct combinations of the first n + 1 columns. */
  readonly #counts: number[];
  /** For each group, a displayed row that has the group's values. */
  #rows = new Int32Array(64);
  count = 0;

  constructor(table: HeldTable, columns: readonly number[], timeZone: DrawOptions['timeZone']) {
    this.#table = table;
    this.#options = { timeZone };
    this.#columns = columns;
    this.#coders = columns.map((index) => coderOf(columnAt(table, index)));
    this.#pairs = columns.slice(1).map(() => new Map());
    this.#counts = columns.map(() => 0);
    if (columns.length === 0) this.count = 1;
  }

  /** Returns the group of an original row, whose display position is `shown`. */
  idOf(row: number, shown: number): number {
    const { length } = this.#coders;
    if (length === 0) return 0;
    let id = this.#firstId((this.#coders[0] as (row: number) => number)(row));
    for (let at = 1; at < length; at++) {
      const pairs = this.#pairs[at - 1] as Map<number, number>;
      const pair = id * codesMax + (this.#coders[at] as (row: number) => number)(row);
      const known = pairs.get(pair);
      if (known !== undefined) id = known;
      else {
        id = this.#counts[at] as number;
        this.#counts[at] = id + 1;
        pairs.set(pair, id);
      }
    }
    if (id === this.count) {
      this.#rows = roomFor(this.#rows, id);
      this.#rows[id] = shown;
      this.count++;
    }
    return id;
  }

  #firstId(code: number): number {
    if (code >= this.#first.length) this.#first = roomFor(this.#first, code);
    const known = (this.#first[code] as number) - 1;
    if (known >= 0) return known;
    const id = this.#counts[0] as number;
    this.#counts[0] = id + 1;
    this.#first[code] = id + 1;
    return id;
  }

  /** Returns the row and columns that identify a group; undefined if rows are not grouped. */
  origin(id: number): MarkOrigin | undefined {
    if (this.#columns.length === 0) return undefined;
    return { row: this.#rows[id] as number, columns: this.#columns };
  }

  /** Returns a group's values for display, separated by commas; empty if rows aren't grouped. */
  name(id: number): string {
    const row = this.#table.rowAt(this.#rows[id] as number);
    return this.#columns
      .map((index) => shownName(drawerOf(this.#table, index, this.#options)(row)))
      .join(', ');
  }

  /** Returns a key that identifies the group in any answer. */
  key(id: number): unknown[] {
    if (this.#columns.length === 0) return [];
    const row = this.#table.rowAt(this.#rows[id] as number);
    return this.#columns.map((index) => {
      const key = valueKey(columnAt(this.#table, index), row);
      return key === null ? null : [key.kind, key.text];
    });
  }
}

/** Returns a value as a series or category name. Distinguishes null from an empty string, and cuts long text. */
export function shownName(text: string | null): string {
  if (text === null) return 'null';
  if (text === '') return '(empty)';
  if (text === 'null' || text === '(empty)') return `"${text}"`;
  return shortened(text, nameMax);
}

/** Returns the display name of a column or part, cut if it is long. */
export function shownLabel(text: string): string {
  return shownName(shownText(text, ''));
}

/** Returns a key as text of limited length. A long key ends with its hash, so that it stays unique. */
export function keyText(parts: readonly unknown[]): string {
  const text = JSON.stringify(parts);
  if (text.length <= keyMax) return text;
  const hash = createHash('sha256').update(text).digest('base64url');
  return `${cutText(text, keyMax / 2)}#${hash}`;
}

/** Returns a function that reads small integers, which are equal for equal values and 0 for null. */
function coderOf(column: Column): (row: number) => number {
  const { nulls } = column.store;
  const keyOf = column.store.keys();
  if (column.store.hasSmallKeys) {
    const code = (row: number) => (keyOf(row) as number) + 1;
    return nulls === undefined ? code : (row) => (nulls.has(row) ? 0 : code(row));
  }
  const known = new Map<Key, number>();
  return (row) => {
    if (nulls?.has(row)) return 0;
    const key = keyOf(row);
    let code = known.get(key);
    if (code === undefined) {
      code = known.size + 1;
      known.set(key, code);
    }
    return code;
  };
}
