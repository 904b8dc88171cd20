/** Returns the context for the `when` clauses of VS Code's menus. */
import type { OpenTable } from './openTable.ts';

/** Returns undefined outside the grid. Also activates the cell or row under the pointer. */
export function menuContext(open: OpenTable, target: Element): object | undefined {
  const { container, grid, table, view, parts } = open;
  if (!container.contains(target)) return undefined;
  const place = grid.menuAt(target);
  if (place === undefined) return undefined;
  const { row, column } = place;
  const shown = column === undefined ? undefined : table.columns[column];
  const hasLink = target.closest('.slick-cell')?.querySelector('.link') !== null;
  return {
    aplombResults: row === undefined ? 'header' : column === undefined ? 'row' : 'cell',
    ...(row !== undefined && { aplombRow: row }),
    ...(column !== undefined && {
      aplombColumn: column,
      aplombPinnedColumn: view.pinned.includes(column),
      aplombLink: hasLink && row !== undefined,
      aplombKind: shown?.kind ?? '',
    }),
    aplombEditable: parts.result.editable,
    aplombHiddenColumns: view.hidden.length > 0,
    aplombFiltered: view.filters.length > 0,
    aplombSorted: view.order.length > 0,
  };
}
