/** Where columns are: moved, pinned and hidden, as changes of a view state. */
import type { TableViewState } from '../../../../../table/src/viewState.ts';
import { drawnColumns } from '../columns.ts';

type Change = Partial<TableViewState>;

export interface Move {
  readonly change: Change;
  readonly at: number;
  readonly count: number;
}

/** Moves a column to a place among the drawn ones; past the pinned ones it is pinned or no longer so. */
export function moveColumn(view: TableViewState, column: number, to: number): Move {
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

export function pinColumn({ pinned }: TableViewState, column: number): Change {
  return { pinned: [...pinned, column] };
}

export function unpinColumn({ pinned }: TableViewState, column: number): Change {
  return { pinned: pinned.filter((other) => other !== column) };
}

/** Nothing for the last column that is drawn: a grid without columns could not be undone in place. */
export function hideColumn(view: TableViewState, column: number): Change {
  const isLast = drawnColumns(view).columns.length <= 1;
  return isLast ? {} : { hidden: [...view.hidden, column] };
}
