/** Handles keys while a cell has the focus. SlickGrid itself moves the active cell. */
import { copySelection } from '../table/copying.ts';
import type { GridParts } from './options.ts';
import { toggleOrder } from './order.ts';

export function movesCell({ key, altKey }: KeyboardEvent): boolean {
  return !altKey && /^(Arrow|Page|Home$|End$)/.test(key);
}

/** Performs a key combination's action. Returns false if it has none. */
export function obeyKey(event: KeyboardEvent, parts: GridParts): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const { open, grid, columns, selection, options } = parts;
  const active = grid.getActiveCell();
  const column = active === null ? undefined : columns.at(active.cell);
  const command = ctrlKey || metaKey;
  if (command && key === 'c') copySelection(open);
  else if (command && key === 'a') selection.selectAll();
  else if (altKey && (key === 'ArrowUp' || key === 'ArrowDown'))
    toggleOrder(parts, column, key === 'ArrowDown', shiftKey);
  else if (key === 'Enter' && !command && !altKey && !shiftKey) {
    if (active !== null) open.openValue(active.row, column);
  } else if (key === ' ' && !command && !altKey) {
    if (!shiftKey) options.onDetail();
    else if (active !== null) selection.selectRow(active.row, false);
  } else if (key === 'ArrowUp' && !shiftKey && !command && active?.row === 0)
    grid.getHeaderColumn(active.cell).focus();
  else return selection.extend(event);
  return true;
}
