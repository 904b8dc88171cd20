/** Appends the rows of one table to another by the names of columns. Nothing is dropped: new columns are added. */
import type { AnswerField } from './answer.ts';
import type { LongTask } from './rowSource.ts';
import { Column } from './table/column.ts';
import { copyCell } from './table/copyCell.ts';
import { type HeldTable, padTo } from './table/heldTable.ts';

/** Appends; until it is finished, readers see the former rows. The table is then in its original order. */
export async function appendRows(
  target: HeldTable,
  added: HeldTable,
  task: LongTask,
): Promise<void> {
  const places = matchedColumns(target.fields, added.fields);
  const before = target.rowCount;
  const columns = [...target.columns];
  const fields = [...target.fields];
  for (const [index, place] of places.entries()) {
    const source = added.columns[index] as Column;
    let column = place === undefined ? undefined : columns[place];
    if (column === undefined) {
      column = new Column();
      padTo(column, before);
      columns.push(column);
      fields.push(added.fields[index] as AnswerField);
    }
    for (let row = 0; row < added.rowCount; row++) {
      copyCell(source, row, column);
      if (task.due) await task.pause(index * added.rowCount + row, places.length * added.rowCount);
    }
    column.store.trim();
  }
  for (const column of columns) padTo(column, before + added.rowCount);
  target.columns.push(...columns.slice(target.columns.length));
  target.fields = fields;
  target.rowCount = before + added.rowCount;
  target.arranged = undefined;
  target.fractionDigits.clear();
}

/** For each added column the one that it continues: the first of its name that is not taken. */
function matchedColumns(
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
