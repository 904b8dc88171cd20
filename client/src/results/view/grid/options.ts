/** The grid's events for the page, and the parts of the grid that the keyboard and mouse handlers use. */
import type { ColumnOrder } from '../../../../../table/src/viewState.ts';
import type { AccessibleGrid } from '../accessibleGrid.ts';
import type { RangeSelection } from '../selection.ts';
import type { OpenTable } from '../table/openTable.ts';
import type { ShownColumns } from './shownColumns.ts';

export interface GridOptions {
  readonly onOrder: (order: readonly ColumnOrder[]) => void;
  readonly onDetail: () => void;
  readonly onSelect: () => void;
  readonly onScroll: () => void;
  readonly onSize: () => void;
  /** Called when the row height changes, so that the grid must be rebuilt. */
  readonly onRowHeight: () => void;
  readonly onPanel: (column: number, anchor: HTMLElement) => void;
  /** Called when dragging or a key moves a column to another position among the drawn columns. */
  readonly onMove: (column: number, place: number) => void;
  readonly onHeaders: () => void;
}

export interface GridParts {
  readonly open: OpenTable;
  readonly grid: AccessibleGrid;
  readonly columns: ShownColumns;
  readonly selection: RangeSelection;
  readonly options: GridOptions;
}
