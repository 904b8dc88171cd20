/**
 * The order, the filters and the active column of a tab's answer, carried over to the answer of its next run by
 * the names and the types of columns. A filter of a column that is gone or has another type is left out. A query
 * that was edited and has the columns that it had takes over how these are arranged, too.
 */

import type { AnswerTable } from '../../../table/src/answer.ts';
import type { TableViewState } from '../../../table/src/viewState.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import { columnKeys } from './arrangements.ts';

/** The answer that a tab showed before. */
export type FormerAnswer = Pick<HeldAnswer, 'about' | 'head' | 'viewState'>;

/** Whether an answer is of the same query, or of one that was edited and still reads the same datasets. */
export function belongsTo(former: FormerAnswer, { about, head }: HeldAnswer): boolean {
  return (
    about.query === former.about.query || sourcesOf(head.tables) === sourcesOf(former.head.tables)
  );
}

/** Whether a table has all columns that the same one of the former answer had. */
export function hasColumns({ head }: FormerAnswer, table: AnswerTable): boolean {
  const former = head.tables.find(({ name }) => name === table.name);
  const keys = new Set(columnKeys(table));
  const formerKeys = former ? columnKeys(former) : [];
  return formerKeys.length > 0 && formerKeys.every((key) => keys.has(key));
}

/** Returns the view state of a table with the carried order and filters, and the first cell of the carried column active. */
export function withCarried(
  view: TableViewState,
  table: AnswerTable,
  { head, viewState }: FormerAnswer,
): TableViewState {
  const index = head.tables.findIndex(({ name }) => name === table.name);
  const former = head.tables[index];
  if (former === undefined) return view;
  const [before, keys] = [columnKeys(former), columnKeys(table)];
  const placed = <T extends { readonly column: number }>(parts: readonly T[]): T[] =>
    parts.flatMap((part) => {
      const column = keys.indexOf(before[part.column] ?? '');
      return column < 0 ? [] : [{ ...part, column }];
    });
  const { order = [], filters = [], active } = viewState.tables[index] ?? {};
  const [cell] = active ? placed([active]) : [];
  return {
    ...view,
    ...(cell &&
      !view.hidden.includes(cell.column) && {
        active: { row: 0, column: cell.column },
        scroll: { row: 0, left: 0, toActive: true },
      }),
    order: placed(order),
    filters: placed(filters),
  };
}

function sourcesOf(tables: readonly AnswerTable[]): string {
  return JSON.stringify(tables.map(({ name, sources }) => [name, sources]));
}
