/** A table's grid: SlickGrid over windows of rows, with keyboard control, selection, sorting and movable columns. */

import type { CellBlock, TableViewState } from '../../../../table/src/viewState.ts';
import { AccessibleGrid } from './accessibleGrid.ts';
import { ColumnDrag } from './columnDrag.ts';
import { columnId } from './columns.ts';
import { fitHeight } from './grid/fitHeight.ts';
import { listenInGrid } from './grid/input.ts';
import type { GridOptions, GridParts } from './grid/options.ts';
import { restorePlace } from './grid/restorePlace.ts';
import { rowHeight } from './grid/rowHeight.ts';
import { gridRows } from './grid/rows.ts';
import { drawColumns, fitColumn, ShownColumns } from './grid/shownColumns.ts';
import { watchSizes } from './grid/sizes.ts';
import { RangeSelection } from './selection.ts';
import type { OpenTable } from './table/openTable.ts';
import type { RowBlocks } from './windows.ts';

const keys =
  'Arrow keys move between cells, and from the first row to the header. Shift extends the selection. Enter opens the value in an editor, Space opens the row. Alt+Up and Alt+Down sort.';

export class ResultGrid {
  readonly #open: OpenTable;
  readonly #container: HTMLElement;
  readonly #options: GridOptions;
  readonly #columns: ShownColumns;
  readonly #height: number;
  readonly #blocks: RowBlocks;
  readonly #grid: AccessibleGrid;
  readonly #selection: RangeSelection;
  readonly #parts: GridParts;
  readonly #sizes: { dispose(): void };
  readonly #drag: ColumnDrag;
  /** Removes listeners from the container, which the next grid reuses. */
  readonly #listening = new AbortController();
  /** The number of the first row marked as new. */
  #firstNew = Number.POSITIVE_INFINITY;
  #restoring = true;

  constructor(open: OpenTable, options: GridOptions) {
    const { container, view, parts, rowCount } = open;
    const { signal } = this.#listening;
    this.#open = open;
    this.#container = container;
    this.#options = options;
    const columns = new ShownColumns(open, options.onPanel);
    this.#columns = columns;
    this.#height = this.#rowHeight();
    container.style.setProperty('--row-height', `${this.#height}px`);
    container.classList.toggle('wrap', view.wrap);
    this.#fitRows();
    const { blocks, source } = gridRows(
      open,
      columns.indexes,
      (rows) => this.#redrawRows(rows),
      ({ number }) => number >= this.#firstNew,
    );
    this.#blocks = blocks;
    const grid = new AccessibleGrid(container, source as never, columns.definitions(), {
      enableCellNavigation: true,
      enableColumnReorder: false,
      enableTextSelectionOnCells: false,
      multiColumnSort: true,
      tristateMultiColumnSort: false,
      rowHeight: this.#height,
      frozenColumn: columns.pinnedCount,
      nonce: parts.nonce,
      forceFitColumns: false,
      suppressCssChangesOnHiddenInit: true,
      invalidColumnFreezeWidthCallback: () => undefined,
    });
    this.#grid = grid;
    grid.setActiveCell(0, 1);
    grid.makeAccessible(
      {
        'aria-label': parts.result.label,
        'aria-description': keys,
        'aria-multiselectable': 'true',
        'aria-rowcount': String(rowCount + 1),
        'aria-colcount': String(columns.indexes.length + 1),
      },
      signal,
    );
    grid.showOrder(view.order);
    const selection = new RangeSelection(grid, container, columns.indexes.length, signal, () => {
      if (!this.#restoring) options.onSelect();
    });
    this.#selection = selection;
    this.#drag = new ColumnDrag(container, (from, to) => {
      const index = columns.indexes[from];
      if (index !== undefined) options.onMove(index, to);
    });
    this.#parts = { open, grid, columns, selection, options };
    grid.onRendered.subscribe(() => selection.paint());
    grid.onScroll.subscribe(() => {
      if (!this.#restoring) options.onScroll();
    });
    listenInGrid(this.#parts, this.#drag, signal);
    this.#sizes = watchSizes(
      container,
      () => (this.#rowHeight() === this.#height ? this.#fitCanvas() : options.onRowHeight()),
      () => drawColumns(this.#parts),
    );
    restorePlace(this.#parts);
    this.#restoring = false;
    this.#fitRows();
    options.onHeaders();
  }

  /** The selection, with columns given by index. Empty if nothing is selected. */
  get selection(): readonly CellBlock[] {
    const { range } = this.#selection;
    if (range === undefined) return [];
    const { fromRow, toRow, fromColumn, toColumn } = range;
    const columns = this.#columns.indexes.slice(fromColumn, toColumn + 1);
    return [{ fromRow, toRow: toRow + 1, columns }];
  }

  get active(): { readonly row: number; readonly column: number } | undefined {
    const active = this.#grid.getActiveCell();
    const column = this.#columns.at(active?.cell ?? 0);
    return active === null || column === undefined ? undefined : { row: active.row, column };
  }

  get scroll(): TableViewState['scroll'] {
    return { row: this.#grid.rowsInView.from, left: this.#grid.viewport.scrollLeft };
  }

  differs(view: TableViewState): boolean {
    return this.#columns.differs(view);
  }

  /** Redraws everything in the new row order, and activates the first row. */
  rearranged(): void {
    const grid = this.#grid;
    const { rowCount, view } = this.#open;
    grid.keepingFocus(() => {
      const cell = grid.getActiveCell()?.cell ?? 1;
      const { left } = this.scroll;
      this.#blocks.clear(rowCount);
      this.#fitRows();
      this.#selection.clear();
      grid.resetActiveCell();
      grid.updateRowCount();
      grid.showOrder(view.order);
      grid.invalidate();
      if (rowCount === 0) return;
      grid.scrollRowToTop(0);
      grid.activate(0, cell);
      grid.scrollToX(left);
      grid.render();
    });
  }

  /**
   * Updates the grid after rows arrived and older ones may have been removed. The scroll position, the active cell and
   * the selection move down with their rows by `shift`.
   */
  arrived(shift: number, firstNew: number): void {
    const grid = this.#grid;
    const { rowCount } = this.#open;
    this.#firstNew = firstNew;
    if (this.#columns.grow()) drawColumns(this.#parts);
    grid.keepingFocus(() => {
      const { row } = this.scroll;
      this.#blocks.shift(rowCount, shift);
      this.#fitRows();
      this.#selection.shift(shift);
      grid.shiftActive(shift, rowCount);
      grid.updateRowCount();
      grid.invalidateAllRows();
      if (shift !== 0) grid.scrollTo(Math.max(0, row + shift) * this.#height);
      grid.render();
    });
  }

  endMarks(): void {
    this.#firstNew = Number.POSITIVE_INFINITY;
    this.#grid.keepingFocus(() => {
      this.#grid.invalidateAllRows();
      this.#grid.render();
    });
  }

  scrollToEnd(first: boolean): void {
    this.#grid.keepingFocus(() => {
      this.#grid.scrollTo(first ? 0 : this.#blocks.rowCount * this.#height);
      this.#grid.render();
    });
  }

  get rowsInView(): { readonly from: number; readonly to: number } {
    return this.#grid.rowsInView;
  }

  /** Requests the visible rows again, and redraws them as they arrive. */
  refresh(): void {
    this.#blocks.refresh();
    this.#grid.keepingFocus(() => this.#grid.invalidate());
  }

  go(row: number, column: number): void {
    const place = this.#columns.placeOf(column);
    if (place === 0) return;
    this.#grid.scrollRowIntoView(row, false);
    this.#grid.setActiveCell(row, place);
  }

  /** Scrolls the active cell into view, after adapting to the grid's current size. */
  revealActive(): void {
    this.#fitCanvas();
    const active = this.#grid.getActiveCell();
    if (active !== null) this.#grid.scrollCellIntoView(active.row, active.cell, false);
  }

  /** Activates the cell or row under the pointer for a menu, and returns its position. */
  menuAt(target: Element): { readonly row?: number; readonly column?: number } | undefined {
    const header = target.closest<HTMLElement>('.slick-header-column');
    if (header) {
      const column = this.#columns.at(Number(header.ariaColIndex) - 1);
      return column === undefined ? undefined : { column };
    }
    const cell = target.closest('.slick-cell');
    const row = Number(cell?.parentElement?.dataset.row);
    if (!cell || Number.isNaN(row)) return undefined;
    const place = Number(cell.ariaColIndex) - 1;
    if (place === 0) {
      const range = this.#selection.range;
      if (range === undefined || row < range.fromRow || row > range.toRow)
        this.#selection.selectRow(row, false);
      return { row };
    }
    if (!this.#selection.includes(row, place)) this.#grid.activate(row, place);
    const column = this.#columns.at(place);
    return column === undefined ? undefined : { row, column };
  }

  headerOf(column: number): HTMLElement | undefined {
    const isDrawn = this.#columns.placeOf(column) > 0;
    return isDrawn ? this.#grid.getHeaderColumn(columnId(column)) : undefined;
  }

  get columnsInView(): readonly number[] {
    return this.#columns.inView(this.#grid);
  }

  fit(column: number): void {
    fitColumn(this.#parts, column);
  }

  /** Activates and focuses the active column's cell in another row. */
  goToRow(row: number): void {
    this.#grid.setActiveCell(row, this.#grid.getActiveCell()?.cell ?? 1);
    this.#grid.focus();
  }

  get hasKeyboard(): boolean {
    const focused = document.activeElement;
    return this.#container.contains(focused) && focused?.closest('.slick-cell') !== null;
  }

  /** Focuses the active cell, or a cell in the first row in view if the active cell is elsewhere. */
  focus(): void {
    const { from, to } = this.rowsInView;
    const active = this.#grid.getActiveCell();
    // Don't scroll on focus, because the rows of a followed query must stay in place.
    const isAway = active !== null && (active.row < Math.floor(from) || active.row >= to);
    if (this.#open.table.removedRows !== undefined && isAway)
      this.#grid.activate(this.#grid.firstRowInView, active.cell);
    this.#grid.focusIn();
  }

  copyRowBlock(row: number): CellBlock {
    return { fromRow: row, toRow: row + 1, columns: this.#columns.indexes };
  }

  dispose(): void {
    this.#listening.abort();
    this.#sizes.dispose();
    this.#selection.dispose();
    this.#blocks.dispose();
    this.#drag.dispose();
    this.#grid.destroy(true);
    this.#container.replaceChildren();
  }

  /** Fits the grid's height to its rows if the container has no fixed height. */
  #fitRows(): void {
    const { parts, rowCount } = this.#open;
    if (parts.maxRows !== undefined)
      fitHeight(this.#container, Math.min(parts.maxRows, rowCount) * this.#height);
  }

  #rowHeight(): number {
    return rowHeight(this.#open.view.wrap, this.#open.parts.maxRows !== undefined);
  }

  /** Adapts the grid to the container's size, and keeps the focused cell in view. */
  #fitCanvas(): void {
    const grid = this.#grid;
    const focused = this.#container.contains(document.activeElement);
    const active = grid.getActiveCell();
    this.#fitRows();
    grid.keepingFocus(() => {
      grid.resizeCanvas();
      if (focused && active !== null) grid.scrollRowIntoView(active.row, false);
    });
    this.#options.onSize();
  }

  #redrawRows(rows: number[]): void {
    this.#grid.keepingFocus(() => {
      this.#grid.invalidateRows(rows);
      this.#grid.render();
    });
  }
}
