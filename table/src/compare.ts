/**
 * Compares two tables and finds added, removed and changed rows. Rows match if their key columns have equal values;
 * rows with the same key match in order. The result is a new table with the change, the columns of both tables, and,
 * for changed rows, the names and former values of the columns that differ.
 */
import type { AnswerField, AnswerHead } from './answer.ts';
import { matchedColumns } from './append.ts';
import { Column } from './columns/column.ts';
import { HeldTable } from './columns/heldTable.ts';
import { addJson, addString, keyOf } from './columns/store.ts';
import { kinds } from './columns/values.ts';
import { Invalid } from './invalid.ts';
import type { LongTask } from './rowSource.ts';

interface Pair {
  readonly field: AnswerField;
  readonly before: Column | undefined;
  readonly after: Column | undefined;
}

export async function compareTables(
  before: HeldTable,
  after: HeldTable,
  keys: readonly string[],
  task: LongTask,
) {
  const pairs = pairedColumns(before, after);
  const keyPairs = keys.length === 0 ? pairs : keys.map((key) => keyPair(pairs, key));
  const others = pairs.filter((pair) => !keyPairs.includes(pair));
  const work = before.rowCount + 2 * after.rowCount;
  const former = new Map<string, number[]>();
  // Iterate backwards, so that `pop` returns the first row with a key.
  for (let row = before.rowCount - 1; row >= 0; row--) {
    const key = rowKey(keyPairs, 'before', row);
    const rows = former.get(key);
    if (rows === undefined) former.set(key, [row]);
    else rows.push(row);
    if (task.due) await task.pause(before.rowCount - row, work);
  }
  const result = new ResultRows(pairs);
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  const isMatched = new Uint8Array(before.rowCount);
  for (let row = 0; row < after.rowCount; row++) {
    if (task.due) await task.pause(before.rowCount + row, work);
    const match = former.get(rowKey(keyPairs, 'after', row))?.pop();
    if (match === undefined) {
      counts.added++;
      result.add('added', undefined, row, []);
      continue;
    }
    isMatched[match] = 1;
    const different = others.filter(
      (pair) => valueText(pair.before, match) !== valueText(pair.after, row),
    );
    if (different.length === 0) counts.unchanged++;
    else {
      counts.changed++;
      result.add('changed', match, row, different);
    }
  }
  for (let row = 0; row < before.rowCount; row++) {
    if (task.due) await task.pause(before.rowCount + after.rowCount + row, work);
    if (isMatched[row] === 1) continue;
    counts.removed++;
    result.add('removed', row, undefined, []);
  }
  return { ...result.finish(), ...counts };
}

/** Pairs the columns of both tables, starting with the later table's columns. */
function pairedColumns(before: HeldTable, after: HeldTable): Pair[] {
  const places = matchedColumns(before.fields, after.fields);
  const pairs = after.fields.map(
    (field, index): Pair => ({
      field,
      before: before.columns[places[index] ?? -1],
      after: after.columns[index],
    }),
  );
  const taken = new Set(places);
  for (const [index, field] of before.fields.entries())
    if (!taken.has(index)) pairs.push({ field, before: before.columns[index], after: undefined });
  return pairs;
}

function keyPair(pairs: readonly Pair[], key: string): Pair {
  const pair = pairs.find(({ field, before, after }) => field.name === key && before && after);
  if (pair === undefined) throw new Invalid(`Both results must have the key column ${key}.`);
  return pair;
}

function rowKey(pairs: readonly Pair[], side: 'before' | 'after', row: number): string {
  let key = '';
  for (const pair of pairs) {
    const text = valueText(pair[side], row);
    key += `${text.length}:${text}`;
  }
  return key;
}

/** Returns text that is the same for equal values. Numbers are compared by value. */
function valueText(column: Column | undefined, row: number): string {
  const text = column?.text(row) ?? null;
  return text === null || column === undefined ? '' : keyOf(column.kind(row), text);
}

class ResultRows {
  readonly #pairs: readonly Pair[];
  readonly #change = new Column();
  readonly #columns: readonly Column[];
  readonly #changedNames = new Column();
  readonly #formerValues = new Column();

  constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
    this.#columns = pairs.map(() => new Column());
  }

  add(
    change: string,
    before: number | undefined,
    after: number | undefined,
    different: readonly Pair[],
  ): void {
    addString(this.#change, change);
    for (const [index, pair] of this.#pairs.entries()) {
      const target = this.#columns[index] as Column;
      if (after !== undefined && pair.after !== undefined) pair.after.store.copyTo(target, after);
      else if (after === undefined && before !== undefined && pair.before !== undefined)
        pair.before.store.copyTo(target, before);
      else target.addNull();
    }
    if (different.length === 0 || before === undefined) {
      this.#changedNames.addNull();
      this.#formerValues.addNull();
      return;
    }
    addJson(this.#changedNames, JSON.stringify(different.map(({ field }) => field.name)));
    const members = different.map(
      (pair) => `${JSON.stringify(pair.field.name)}:${jsonOf(pair.before, before)}`,
    );
    addJson(this.#formerValues, `{${members.join(',')}}`);
  }

  finish(): { head: AnswerHead; table: HeldTable } {
    const fields: AnswerField[] = [
      { name: 'change', type: 'string' },
      ...this.#pairs.map(({ field: { name, type, unit } }) => ({
        name,
        type,
        ...(unit !== undefined && { unit }),
      })),
      { name: 'changed columns', type: 'array' },
      { name: 'former values', type: 'map' },
    ];
    const columns = [this.#change, ...this.#columns, this.#changedNames, this.#formerValues];
    for (const column of columns) column.store.trim();
    const tableHead = {
      name: '0',
      sources: [],
      fields,
      groups: [],
      order: [],
      rowCount: this.#change.length,
    };
    return {
      table: new HeldTable(tableHead, columns),
      head: {
        tables: [tableHead],
        status: {},
        cursors: {},
        messages: [],
        datasetNames: [],
        fieldsMetaMap: {},
        aggregated: false,
        notes: [],
      },
    };
  }
}

function jsonOf(column: Column | undefined, row: number): string {
  const text = column?.text(row) ?? null;
  if (text === null || column === undefined) return 'null';
  return column.kind(row) === kinds.text ? JSON.stringify(text) : text;
}
