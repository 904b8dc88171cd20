/** The effects of menu and palette commands on a table, a column or a cell. */
import type { MenuPlace, PageAction } from '../../pageContent.ts';
import { channel } from '../channel.ts';
import type { TableView } from '../tableView.ts';
import { hideColumn } from './columnPlaces.ts';
import { copyActions, copyBlocks, copyValue } from './copying.ts';

type Actions<At extends unknown[]> = Partial<
  Record<PageAction, (view: TableView, ...at: At) => unknown>
>;

const tableActions: Actions<[]> = {
  // Don't disturb the typing, because the same command's shortcut may already have opened the bar.
  find: ({ find }) => find.show(),
  findNext: ({ find }) => find.go(false),
  findPrevious: ({ find }) => find.go(true),
  clearFilters: ({ arranging }) => arranging.filter([]),
  clearSort: ({ arranging }) => arranging.order([]),
  showAllColumns: (view) => view.arrangeColumns({ hidden: [] }),
  fitAllColumns: ({ open }) => {
    for (const shown of open.columns) open.grid.fit(shown);
  },
  toggleWrap: (view) => view.toggleWrap(),
  toggleDetail: (view) => view.toggleDetail(),
  loadMore: ({ open }) => open.strip.loadMore(),
  loadAll: ({ open }) => open.strip.loadAll(true),
};

const columnActions: Actions<[column: number, row: number | undefined]> = {
  sortAscending: ({ arranging }, at) => arranging.sort(at, false, false),
  sortDescending: ({ arranging }, at) => arranging.sort(at, true, false),
  addSortAscending: ({ arranging }, at) => arranging.sort(at, false, true),
  addSortDescending: ({ arranging }, at) => arranging.sort(at, true, true),
  filterColumn: ({ open, arranging }, at) =>
    arranging.openPanel(at, open.grid.headerOf(at) ?? open.container),
  pinColumn: (view, at) => view.arrangeColumns({ pinned: [...view.open.view.pinned, at] }),
  unpinColumn: (view, at) =>
    view.arrangeColumns({ pinned: view.open.view.pinned.filter((other) => other !== at) }),
  hideColumn: (view, at) => view.arrangeColumns(hideColumn(view.open.view, at)),
  moveColumnLeft: (view, at) => view.moveColumn(at, view.open.columns.indexOf(at) - 1),
  moveColumnRight: (view, at) => view.moveColumn(at, view.open.columns.indexOf(at) + 1),
  fitColumn: ({ open }, at) => open.grid.fit(at),
  topValues: ({ open }, column) => channel.send('topValues', { ...open.place, column }),
  copyColumnName: ({ open }, column, row) => copyValue(open, { row: row ?? 0, column }, [], 'path'),
};

const cellActions: Actions<[row: number, column: number]> = {
  openValue: ({ open }, row, column) => open.openValue(row, column),
  openLink: ({ open }, row, column) => open.openLink({ row, column }, []),
  addFilterToQuery: ({ open }, row, column) => open.filterQuery({ row, column }, [], false),
  excludeFromQuery: ({ open }, row, column) => open.filterQuery({ row, column }, [], true),
  filterByValue: ({ arranging }, row, column) => arranging.filterByValue(row, column, false),
  excludeValue: ({ arranging }, row, column) => arranging.filterByValue(row, column, true),
  copyRow: ({ open }, row) => copyBlocks(open, [open.grid.copyRowBlock(row)], 'text', true),
};

/** Performs a command at the place where its menu was opened, or at the active cell. */
export function actOn(view: TableView, action: PageAction, place: MenuPlace): void {
  const { grid } = view.open;
  const column = place.column ?? grid.active?.column;
  const row = place.row ?? grid.active?.row;
  const copied = copyActions[action];
  const ofTable = tableActions[action];
  if (copied) void copyBlocks(view.open, grid.selection, ...copied);
  else if (ofTable) ofTable(view);
  else if (column !== undefined) {
    columnActions[action]?.(view, column, row);
    if (row !== undefined) cellActions[action]?.(view, row, column);
  }
}
