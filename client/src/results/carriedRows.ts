/**
 * Applies the order, filters and active column of a tab's answer to its next run's answer, by column name and type.
 * Filters of columns that are missing or have another type are dropped. An edited query that still has all former
 * columns also inherits their arrangement.
 */

import type { AnswerTable } from '../../../table/src/answer.ts';
import type { TableViewState } from '../../../table/src/viewState.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import { columnKeys } from './arrangements.ts';

export type FormerAnswer = Pick<HeldAnswer, 'about' | 'head' | 'viewState'>;

/** Whether an answer is from the same query, or from an edited version that reads the same datasets. */
export function belongsTo(former: FormerAnswer, { about, head }: HeldAnswer): boolean {
  return (
    about.query === former.about.query || sourcesOf(head.tables) === sourcesOf(former.head.tables)
  );
}

/** Whether a table has all columns of the former answer's table with the same name. */
export function hasColumns({ head }: FormerAnswer, table: AnswerTable): boolean {
  const former = head.tables.find(({ name }) => name === table.name);
  const keys = new Set(columnKeys(table));
  const formerKeys = former ? columnKeys(former) : [];
  return formerKeys.length > 0 && formerKeys.every((key) => keys.has(key));
}

/** Returns a table's view state with the former order, filters and active column, whose first cell is active. */
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
