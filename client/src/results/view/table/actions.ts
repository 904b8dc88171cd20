/** What the commands of menus and of the palette do in a table: rows of the table, of a column, of a cell. */
import type { MenuPlace, PageAction } from '../../messages.ts';
import { channel } from '../channel.ts';
import type { FindBar } from '../findBar.ts';
import { hideColumn, pinColumn, unpinColumn } from './columnPlaces.ts';
import { type Copying, copyActions } from './copying.ts';
import type { OpenTable } from './openTable.ts';
import type { RowArranging } from './rowArranging.ts';

export interface TableParts {
  readonly open: OpenTable;
  readonly find: FindBar;
  readonly arranging: RowArranging;
  readonly copying: Copying;
  readonly arrangeColumns: (change: Partial<OpenTable['view']>) => void;
  readonly moveColumn: (column: number, to: number) => void;
  readonly toggleWrap: () => void;
  readonly toggleDetail: () => void;
  readonly loadMore: () => void;
  readonly loadAll: () => void;
}

type Actions<At extends unknown[]> = Partial<
  Record<PageAction, (parts: TableParts, ...at: At) => unknown>
>;

const tableActions: Actions<[]> = {
  // The key of the view's command has opened it already, and the person may be typing.
  find: ({ find }) => find.show(),
  findNext: ({ find }) => find.go(false),
  findPrevious: ({ find }) => find.go(true),
  clearFilters: ({ arranging }) => arranging.filter([]),
  clearSort: ({ arranging }) => arranging.order([]),
  showAllColumns: ({ arrangeColumns }) => arrangeColumns({ hidden: [] }),
  fitAllColumns: ({ open }) => {
    for (const shown of open.columns) open.grid.fit(shown);
  },
  toggleWrap: ({ toggleWrap }) => toggleWrap(),
  toggleDetail: ({ toggleDetail }) => toggleDetail(),
  loadMore: ({ loadMore }) => loadMore(),
  loadAll: ({ loadAll }) => loadAll(),
};

const columnActions: Actions<[column: number, row: number | undefined]> = {
  sortAscending: ({ arranging }, at) => arranging.sort(at, false, false),
  sortDescending: ({ arranging }, at) => arranging.sort(at, true, false),
  addSortAscending: ({ arranging }, at) => arranging.sort(at, false, true),
  addSortDescending: ({ arranging }, at) => arranging.sort(at, true, true),
  filterColumn: ({ open, arranging }, at) =>
    arranging.openPanel(at, open.grid.headerOf(at) ?? open.container),
  pinColumn: ({ open, arrangeColumns }, at) => arrangeColumns(pinColumn(open.view, at)),
  unpinColumn: ({ open, arrangeColumns }, at) => arrangeColumns(unpinColumn(open.view, at)),
  hideColumn: ({ open, arrangeColumns }, at) => arrangeColumns(hideColumn(open.view, at)),
  moveColumnLeft: ({ open, moveColumn }, at) => moveColumn(at, open.columns.indexOf(at) - 1),
  moveColumnRight: ({ open, moveColumn }, at) => moveColumn(at, open.columns.indexOf(at) + 1),
  fitColumn: ({ open }, at) => open.grid.fit(at),
  topValues: ({ open }, column) => channel.send('topValues', { ...open.place, column }),
  copyColumnName: ({ copying }, column, row) =>
    copying.copyValue({ row: row ?? 0, column }, [], 'path'),
};

const cellActions: Actions<[row: number, column: number]> = {
  openValue: ({ open }, row, column) => channel.send('openValue', { ...open.place, row, column }),
  openLink: ({ open }, row, column) =>
    channel.send('openLink', { ...open.place, row, column, path: [] }),
  addFilterToQuery: ({ open }, row, column) => open.filterQuery({ row, column }, [], false),
  excludeFromQuery: ({ open }, row, column) => open.filterQuery({ row, column }, [], true),
  filterByValue: ({ arranging }, row, column) => arranging.filterByValue(row, column, false),
  excludeValue: ({ arranging }, row, column) => arranging.filterByValue(row, column, true),
  copyRow: ({ copying }, row) => copying.copyRow(row),
};

/** Does what a command means, at the place of its menu or at the active cell. */
export function actOn(parts: TableParts, action: PageAction, place: MenuPlace): void {
  const { active } = parts.open.grid;
  const column = place.column ?? active?.column;
  const row = place.row ?? active?.row;
  const copied = copyActions[action];
  if (copied) return parts.copying.copyAs(...copied);
  const ofTable = tableActions[action];
  if (ofTable) return void ofTable(parts);
  if (column === undefined) return;
  const ofColumn = columnActions[action];
  if (ofColumn) return void ofColumn(parts, column, row);
  if (row !== undefined) cellActions[action]?.(parts, row, column);
}
