/** What the grid of a table reports to the page, and the parts of the grid that read the keyboard and the mouse. */
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
  /** The grid has another width or height. */
  readonly onSize: () => void;
  /** The rows have another height, so that the grid is to be made again. */
  readonly onRowHeight: () => void;
  readonly onPanel: (column: number, anchor: HTMLElement) => void;
  /** A column was dragged or moved by keys to another place among the drawn ones. */
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
