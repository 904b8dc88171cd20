/** Searches the cells of a table, counts matches, and finds the next one in reading order. */
import { matcherOf, matchingTexts, type TextCondition } from './arrange/matcher.ts';
import { Bits } from './columns/growable.ts';
import type { HeldTable } from './columns/heldTable.ts';
import type { Store } from './columns/store.ts';
import { cutSpan, type DrawOptions, drawerOf, type RowSpan } from './drawn.ts';
import type { LongTask } from './rowSource.ts';
import { inSlices } from './slices.ts';
import type { FindOptions } from './viewState.ts';

export interface FoundPlace {
  readonly row: number;
  readonly column: number;
  /** The position among all matches in reading order, from 1. */
  readonly ordinal: number;
  readonly total: number;
}

/** The number of rows in a block. A block's matches are counted together. */
const blockRows = 4_096;

/** A finished search in one table. It follows the table's current order and filters. */
export class Search {
  readonly #table: HeldTable;
  readonly #columns: readonly number[];
  /** The original rows that match, by the column's position in `#columns`. */
  readonly #matches: readonly (Bits | undefined)[];
  #countedFor: Uint32Array | undefined | null = null;
  #total = 0;
  /** The number of matches in each block of displayed rows. */
  #blocks = new Uint32Array(0);

  private constructor(
    table: HeldTable,
    columns: readonly number[],
    matches: readonly (Bits | undefined)[],
  ) {
    this.#table = table;
    this.#columns = columns;
    this.#matches = matches;
  }

  /** Searches `columns`, which are in reading order. Throws `Invalid`. */
  static async run(
    table: HeldTable,
    text: string,
    options: FindOptions,
    columns: readonly number[],
    draw: DrawOptions,
    task: LongTask,
  ): Promise<Search> {
    const matches: (Bits | undefined)[] = [];
    const condition = { ...options, text };
    matcherOf(condition);
    for (const [position, column] of columns.entries()) {
      matches.push(
        text === '' ? undefined : await columnMatches(table, column, condition, draw, task),
      );
      await task.pause(position + 1, columns.length);
    }
    return new Search(table, columns, matches);
  }

  /** Counts the matching cells in the displayed rows. */
  async total(task: LongTask): Promise<number> {
    const table = this.#table;
    const { arranged, shownCount } = table;
    if (this.#countedFor === arranged) return this.#total;
    const blocks = new Uint32Array(Math.ceil(shownCount / blockRows));
    let total = 0;
    for (let block = 0; block < blocks.length; block++) {
      const to = Math.min(shownCount, (block + 1) * blockRows);
      let count = 0;
      for (const bits of this.#matches) {
        if (bits === undefined) continue;
        for (let shown = block * blockRows; shown < to; shown++)
          count += Number(bits.has(arranged === undefined ? shown : (arranged[shown] as number)));
      }
      blocks[block] = count;
      total += count;
      if (task.due) await task.pause(0, 0);
    }
    // Count again, because the table was rearranged in the meantime.
    if (table.arranged !== arranged) return await this.total(task);
    this.#countedFor = arranged;
    this.#blocks = blocks;
    this.#total = total;
    return total;
  }

  /** Finds the next or previous match from a cell, wrapping around at the table's ends. */
  async next(
    row: number,
    column: number,
    backwards: boolean,
    task: LongTask,
  ): Promise<FoundPlace | null> {
    if ((await this.total(task)) === 0) return null;
    const width = this.#columns.length;
    const cells = this.#table.shownCount * width;
    const step = backwards ? -1 : 1;
    // If the start column was not searched, consider the entire row.
    const position = this.#columns.indexOf(column);
    const first = Math.min(Math.max(0, Math.trunc(row) || 0), this.#table.shownCount - 1) * width;
    const start = first + (position >= 0 ? position : backwards ? width : -1);
    let cell = (start + step + cells) % cells;
    while (true) {
      const shown = Math.floor(cell / width);
      const block = Math.floor(shown / blockRows);
      if (this.#blocks[block] === 0) {
        // Skip to the end of the block in the direction of the search.
        const edge = backwards ? block * blockRows * width : (block + 1) * blockRows * width - 1;
        cell = (Math.min(edge, cells - 1) + step + cells) % cells;
        continue;
      }
      if (this.#isMatch(shown, cell % width)) return this.#place(shown, cell % width);
      cell = (cell + step + cells) % cells;
    }
  }

  #isMatch(shown: number, position: number): boolean {
    return this.#matches[position]?.has(this.#table.rowAt(shown)) === true;
  }

  #place(row: number, position: number): FoundPlace {
    const block = Math.floor(row / blockRows);
    let ordinal = 1;
    for (let before = 0; before < block; before++) ordinal += this.#blocks[before] as number;
    for (let shown = block * blockRows; shown <= row; shown++)
      for (let at = 0; at < (shown === row ? position : this.#columns.length); at++)
        ordinal += Number(this.#isMatch(shown, at));
    return { row, column: this.#columns[position] as number, ordinal, total: this.#total };
  }

  /** Returns the row-major indexes of the matching cells in a window. */
  within(span: RowSpan, columns: readonly number[]): number[] {
    const { from, to } = cutSpan(span, this.#table.shownCount);
    const positions = columns.map((column) => this.#columns.indexOf(column));
    const found: number[] = [];
    for (let shown = from; shown < to; shown++)
      for (const [at, position] of positions.entries())
        if (position >= 0 && this.#isMatch(shown, position))
          found.push((shown - from) * columns.length + at);
    return found;
  }
}

async function columnMatches(
  table: HeldTable,
  index: number,
  condition: TextCondition,
  draw: DrawOptions,
  task: LongTask,
): Promise<Bits | undefined> {
  const store = table.columns[index]?.store;
  // Skip a column of nulls, which has no entries.
  if (store === undefined || store.entryCount === 0) return undefined;
  if (condition.match !== 'regex' && store.possibleText?.test(condition.text) === false)
    return undefined;
  const bits = new Bits();
  const add = (matches: Uint8Array, codes: Store['codes']) =>
    inSlices(store.length, task, (from, to) => {
      for (let row = from; row < to; row++) {
        const entry = codes === undefined ? row : (codes[row] as number);
        if (matches[entry] === 1 && !store.isNull(row)) bits.set(row);
      }
    });
  await add(await store.matches(condition, task), store.codes);
  if (table.fields[index]?.type !== 'datetime') return bits;
  // Times match by their exact text or by their formatted text.
  const drawn = drawerOf(table, index, draw);
  const textOf = (row: number) => drawn(row) ?? '';
  await add(await matchingTexts(store.length, textOf, condition, task), undefined);
  return bits;
}
