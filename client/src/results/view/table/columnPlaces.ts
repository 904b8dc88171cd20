/** Moves, pins and hides columns by changing a view state. */
import type { TableViewState } from '../../../../../table/src/viewState.ts';
import { drawnColumns } from '../columns.ts';

/** Moves a column among the drawn columns. Crossing the edge of the pinned columns pins or unpins it. */
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

/** Hides a column, except for the last drawn one, because an empty grid would offer no way to undo this. */
export function hideColumn(view: TableViewState, column: number): Partial<TableViewState> {
  const isLast = drawnColumns(view).columns.length <= 1;
  return isLast ? {} : { hidden: [...view.hidden, column] };
}
