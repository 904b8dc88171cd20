/** Appends the rows of one table to another, matching columns by name. Unmatched columns are added. */
import type { AnswerField } from './answer.ts';
import { Column } from './columns/column.ts';
import { type HeldTable, padTo } from './columns/heldTable.ts';
import type { LongTask } from './rowSource.ts';

/**
 * Appends all or the chosen rows and columns, and restores the table's original order. Readers see the former rows
 * until it finishes.
 */
export async function appendRows(
  target: HeldTable,
  added: HeldTable,
  task: LongTask,
  chosen?: { readonly rows: Uint32Array; readonly columns: readonly number[] },
): Promise<void> {
  const { rows } = chosen ?? {};
  const indexes = chosen?.columns ?? [...added.fields.keys()];
  const fieldsAdded = indexes.map((index) => added.fields[index] as AnswerField);
  const places = matchedColumns(target.fields, fieldsAdded);
  const count = rows?.length ?? added.rowCount;
  const before = target.rowCount;
  const columns = [...target.columns];
  const fields = [...target.fields];
  for (const [done, place] of places.entries()) {
    const source = added.columns[indexes[done] as number] as Column;
    let column = place === undefined ? undefined : columns[place];
    if (column === undefined) {
      column = new Column();
      padTo(column, before);
      columns.push(column);
      fields.push(fieldsAdded[done] as AnswerField);
    }
    for (let row = 0; row < count; row++) {
      source.store.copyTo(column, rows === undefined ? row : (rows[row] as number));
      if (task.due) await task.pause(done * count + row, places.length * count);
    }
    column.store.trim();
  }
  for (const column of columns) padTo(column, before + count);
  target.columns.push(...columns.slice(target.columns.length));
  target.fields = fields;
  target.rowCount = before + count;
  target.arranged = undefined;
  target.fractionDigits.clear();
}

/** Returns each added column's target column: the first unused column with the same name, or undefined. */
export function matchedColumns(
  fields: readonly AnswerField[],
  added: readonly AnswerField[],
): (number | undefined)[] {
  const taken = new Set<number>();
  return added.map(({ name }) => {
    const place = fields.findIndex((field, index) => field.name === name && !taken.has(index));
    if (place < 0) return undefined;
    taken.add(place);
    return place;
  });
}
