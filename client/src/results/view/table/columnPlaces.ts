/** Where columns are: moved, pinned and hidden, as changes of a view state. */
import type { TableViewState } from '../../../../../table/src/viewState.ts';
import { drawnColumns } from '../columns.ts';

/** Moves a column to a place among the drawn ones; past the pinned ones it is pinned or no longer so. */
export function moveColumn(view: TableViewState, column: number, to: number) {
  const { columns, pinnedCount } = drawnColumns(view);
  const at = Math.max(0, Math.min(to, columns.length - 1));
  const moved = columns.filter((other) => other !== column).toSpliced(at, 0, column);
  const wasPinned = view.pinned.includes(column);
  const others = pinnedCount - (wasPinned ? 1 : 0);
  const isPinned = wasPinned ? at < pinnedCount : at < others;
  const pinned = view.pinned.filter((other) => other !== column);
  const hidden = view.columnOrder.filter((other) => view.hidden.includes(other));
  const change = {
    columnOrder: [...moved, ...hidden],
    pinned: isPinned ? [...pinned, column] : pinned,
  };
  return { change, at, count: columns.length };
}

/** Nothing for the last column that is drawn: a grid without columns could not be undone in place. */
export function hideColumn(view: TableViewState, column: number): Partial<TableViewState> {
  const isLast = drawnColumns(view).columns.length <= 1;
  return isLast ? {} : { hidden: [...view.hidden, column] };
}
