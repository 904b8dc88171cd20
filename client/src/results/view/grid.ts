/** The grid of one table: SlickGrid over windows of rows, with keyboard, selection, order and places of columns. */

import type { CellBlock, ColumnOrder, TableViewState } from '../../../../table/src/viewState.ts';
import type { ViewColumn, ViewTable } from '../messages.ts';
import { AccessibleGrid } from './accessibleGrid.ts';
import { ColumnDrag } from './columnDrag.ts';
import {
  columnId,
  digitsOf,
  drawnColumns,
  fittingWidth,
  gridColumns,
  textMeasure,
} from './columns.ts';
import { type CellKeyActions, movesCell, obeyKey } from './grid/cellKeys.ts';
import { fitHeight } from './grid/fitHeight.ts';
import type { GridOptions } from './grid/options.ts';
import { cycledOrder, toggledOrder } from './grid/order.ts';
import { restorePlace } from './grid/restorePlace.ts';
import { rowHeight } from './grid/rowHeight.ts';
import { gridRows } from './grid/rows.ts';
import { watchSizes } from './grid/sizes.ts';
import { HeaderKeys } from './headerKeys.ts';
import { type CellRange, RangeSelection } from './selection.ts';
import type { RowBlocks } from './windows.ts';

const resizeStep = 16;
const keys =
  'Arrow keys move between cells, and from the first row to the header. Shift extends the selection. Enter opens the value in an editor, Space opens the row. Alt+Up and Alt+Down sort.';

export class ResultGrid {
  readonly #container: HTMLElement;
  readonly #grid: AccessibleGrid;
  readonly #selection: RangeSelection;
  readonly #blocks: RowBlocks;
  #table: ViewTable;
  /** The number of the last row, for which the column of numbers has room. */
  #lastNumber: number;
  readonly #view: () => TableViewState;
  readonly #options: GridOptions;
  readonly #sizes: { dispose(): void };
  readonly #drag: ColumnDrag;
  readonly #columns: readonly number[];
  readonly #pinnedCount: number;
  readonly #height: number;
  #firstNew = Number.POSITIVE_INFINITY;
  #restoring = true;

  constructor(
    container: HTMLElement,
    table: ViewTable,
    view: () => TableViewState,
    options: GridOptions,
  ) {
    this.#container = container;
    this.#table = table;
    this.#lastNumber = table.totalRows + (table.removedRows ?? 0);
    this.#view = view;
    this.#options = options;
    const { columns, pinnedCount } = drawnColumns(view());
    this.#columns = columns;
    this.#pinnedCount = pinnedCount;
    this.#height = this.#rowHeight();
    container.style.setProperty('--row-height', `${this.#height}px`);
    container.classList.toggle('wrap', view().wrap);
    this.#fitRows(table.rowCount);
    const { blocks, source } = gridRows(
      table,
      columns,
      options.onWindow,
      (rows) => this.#redrawRows(rows),
      ({ number }) => number >= this.#firstNew,
    );
    this.#blocks = blocks;
    this.#grid = new AccessibleGrid(container, source as never, this.#gridColumns(), {
      enableCellNavigation: true,
      enableColumnReorder: false,
      enableTextSelectionOnCells: false,
      multiColumnSort: true,
      tristateMultiColumnSort: false,
      rowHeight: this.#height,
      frozenColumn: pinnedCount,
      nonce: options.nonce,
      forceFitColumns: false,
      suppressCssChangesOnHiddenInit: true,
      invalidColumnFreezeWidthCallback: () => undefined,
    });
    this.#grid.setActiveCell(0, 1);
    this.#grid.makeAccessible(container, {
      'aria-label': options.label,
      'aria-description': keys,
      'aria-multiselectable': 'true',
      'aria-rowcount': String(table.rowCount + 1),
      'aria-colcount': String(columns.length + 1),
    });
    this.#grid.showOrder(view().order);
    const size = { rowCount: table.rowCount, columnCount: columns.length };
    this.#selection = new RangeSelection(this.#grid, container, size, () => {
      if (!this.#restoring) options.onSelect();
    });
    this.#drag = new ColumnDrag(container, (from, to) => {
      const index = this.#columns[from];
      if (index !== undefined) options.onMove(index, to);
    });
    new HeaderKeys(container, {
      toCell: (place) => {
        this.#grid.setActiveCell(this.#firstRowInView(), place);
        this.#grid.focus();
      },
      sort: (place, add) => this.#cycleOrder(this.#columns[place - 1], add),
      panel: (place, anchor) => {
        const index = this.#columns[place - 1];
        if (index !== undefined) options.onPanel(index, anchor);
      },
      move: (place, by) => {
        const index = this.#columns[place - 1];
        if (index !== undefined) options.onMove(index, place - 1 + by);
      },
      resize: (place, by) => this.#resizeBy(place, by * resizeStep),
      scrollTo: (place) => this.#grid.scrollColumnIntoView(place),
    });
    this.#listen();
    this.#sizes = watchSizes(container, {
      onSize: () =>
        this.#rowHeight() === this.#height ? this.#fitCanvas() : options.onRowHeight(),
      onFont: () => this.#drawColumns(),
    });
    restorePlace(view(), {
      grid: this.#grid,
      selection: this.#selection,
      columns,
      rowCount: table.rowCount,
      rowHeight: this.#height,
    });
    this.#restoring = false;
    this.#fitRows(table.rowCount);
    options.onHeaders();
  }

  /** The selection by the indexes of columns; empty while nothing is selected. */
  get selection(): readonly CellBlock[] {
    const { range } = this.#selection;
    return range === undefined ? [] : [this.blockOf(range)];
  }

  blockOf({ fromRow, toRow, fromColumn, toColumn }: CellRange): CellBlock {
    const columns = this.#columns.slice(fromColumn, toColumn + 1);
    return { fromRow, toRow: toRow + 1, columns };
  }

  get active(): { readonly row: number; readonly column: number } | undefined {
    const active = this.#grid.getActiveCell();
    const column = active === null ? undefined : this.#columns[active.cell - 1];
    return active === null || column === undefined ? undefined : { row: active.row, column };
  }

  get scroll(): TableViewState['scroll'] {
    const viewport = this.#container.querySelector('.slick-viewport-top.slick-viewport-right');
    return { row: this.#grid.topInView / this.#height, left: viewport?.scrollLeft ?? 0 };
  }

  /** Whether the columns of a view state are drawn otherwise than they are now. */
  differs(view: TableViewState): boolean {
    const { columns, pinnedCount } = drawnColumns(view);
    return String(columns) !== String(this.#columns) || pinnedCount !== this.#pinnedCount;
  }

  /** Draws everything again in the host's new order, with the active cell in the first row. */
  rearranged(order: readonly ColumnOrder[], rowCount: number): void {
    this.#redraw(() => {
      const column = this.#grid.getActiveCell()?.cell ?? 1;
      const { left } = this.scroll;
      this.#blocks.clear(rowCount);
      this.#fitRows(rowCount);
      this.#selection.resize(rowCount);
      this.#container
        .querySelector('[role="grid"]')
        ?.setAttribute('aria-rowcount', String(rowCount + 1));
      this.#grid.resetActiveCell();
      this.#grid.updateRowCount();
      this.#grid.showOrder(order);
      this.#grid.invalidate();
      if (rowCount === 0) return;
      this.#grid.scrollRowToTop(0);
      this.#grid.activate(0, column);
      this.#grid.scrollToX(left);
      this.#grid.render();
    });
  }

  /**
   * More rows have arrived, and older ones may be gone: those that stay are `shift` rows further down. What is
   * in view, active and selected stays with its rows.
   */
  arrived({
    rowCount,
    shift,
    firstNew,
    lastNumber,
    columns,
  }: {
    readonly rowCount: number;
    readonly shift: number;
    readonly firstNew: number;
    readonly lastNumber: number;
    readonly columns: ViewTable['columns'];
  }): void {
    this.#firstNew = firstNew;
    const isWider = this.#needsWidth(columns) || digitsOf(lastNumber) > digitsOf(this.#lastNumber);
    this.#lastNumber = lastNumber;
    if (isWider) this.#drawColumns();
    this.#redraw(() => {
      const { row } = this.scroll;
      this.#blocks.shift(rowCount, shift);
      this.#fitRows(rowCount);
      this.#selection.shift(rowCount, shift);
      this.#container
        .querySelector('[role="grid"]')
        ?.setAttribute('aria-rowcount', String(rowCount + 1));
      this.#grid.shiftActive(shift, rowCount);
      this.#grid.updateRowCount();
      this.#grid.invalidateAllRows();
      if (shift !== 0) this.#grid.scrollTo(Math.max(0, row + shift) * this.#height);
      this.#grid.render();
    });
  }

  /** Rows that have arrived are not marked as new any more. */
  endMarks(): void {
    this.#firstNew = Number.POSITIVE_INFINITY;
    this.#redraw(() => {
      this.#grid.invalidateAllRows();
      this.#grid.render();
    });
  }

  scrollToEnd(first: boolean): void {
    this.#redraw(() => {
      const height = this.#blocks.rowCount * this.#height;
      this.#grid.scrollTo(first ? 0 : height);
      this.#grid.render();
    });
  }

  /** The rows that can be seen, in part too. */
  get rowsInView(): { readonly from: number; readonly to: number } {
    const viewport = this.#container.querySelector('.slick-viewport-top.slick-viewport-right');
    const { row: from } = this.scroll;
    return { from, to: from + (viewport?.clientHeight ?? 0) / this.#height };
  }

  /** Asks for the drawn rows again, and draws them as they come. */
  refresh(): void {
    this.#blocks.refresh();
    this.#redraw(() => this.#grid.invalidate());
  }

  go(row: number, column: number): void {
    const place = this.#columns.indexOf(column);
    if (place < 0) return;
    this.#grid.scrollRowIntoView(row, false);
    this.#grid.setActiveCell(row, place + 1);
  }

  /** Scrolls the active cell into view, in the room that the grid has by now. */
  revealActive(): void {
    this.#fitCanvas();
    const active = this.#grid.getActiveCell();
    if (active !== null) this.#grid.scrollCellIntoView(active.row, active.cell, false);
  }

  /** Prepares for a menu at an element: what is below the pointer becomes active. */
  menuAt(target: Element): { readonly row?: number; readonly column?: number } | undefined {
    const header = target.closest<HTMLElement>('.slick-header-column');
    if (header) {
      const column = this.#columns[Number(header.ariaColIndex) - 2];
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
    const column = this.#columns[place - 1];
    return column === undefined ? undefined : { row, column };
  }

  headerOf(column: number): HTMLElement | undefined {
    const place = this.#columns.indexOf(column);
    return place < 0 ? undefined : this.#grid.getHeaderColumn(columnId(column));
  }

  /** The columns whose headers can be seen, and those near them. */
  get columnsInView(): readonly number[] {
    const { leftPx, rightPx } = this.#grid.getViewport();
    let right = 0;
    return this.#columns.filter((index, place) => {
      const width = this.#grid.getColumns()[place + 1]?.width ?? 0;
      if (place < this.#pinnedCount) return true;
      right += width;
      return right > leftPx - 200 && right - width < rightPx + 200 && index >= 0;
    });
  }

  /** Makes a column as wide as its drawn cells and its header need. */
  fit(column: number): void {
    const place = this.#columns.indexOf(column) + 1;
    const found = this.#table.columns[column];
    if (place === 0 || found === undefined) return;
    const measure = textMeasure(this.#container);
    let width = fittingWidth({ ...found, characters: 1 }, measure);
    for (const cell of this.#container.querySelectorAll(`.slick-cell.l${place} > span`))
      width = Math.max(width, Math.ceil(measure(cell.textContent ?? '', 'normal')) + 18);
    this.#resizeBy(place, width - (this.#grid.getColumns()[place]?.width ?? 0));
  }

  /** Makes another row's cell in the active column active, and gives it the keyboard. */
  goToRow(row: number): void {
    this.#grid.setActiveCell(row, this.#grid.getActiveCell()?.cell ?? 1);
    this.#grid.focus();
  }

  get hasKeyboard(): boolean {
    const focused = document.activeElement;
    return this.#container.contains(focused) && focused?.closest('.slick-cell') !== null;
  }

  /** Takes the keyboard at the active cell, or in the first row in view where that is elsewhere. */
  focus(): void {
    const { from, to } = this.rowsInView;
    const active = this.#grid.getActiveCell();
    // The rows in view of a query that is followed stay in view.
    const isAway = active !== null && (active.row < Math.floor(from) || active.row >= to);
    if (this.#table.removedRows !== undefined && isAway)
      this.#grid.activate(this.#firstRowInView(), active.cell);
    this.#grid.focusIn(this.#firstRowInView());
  }

  copyRowBlock(row: number): CellBlock {
    return { fromRow: row, toRow: row + 1, columns: this.#columns };
  }

  dispose(): void {
    this.#sizes.dispose();
    this.#selection.dispose();
    this.#blocks.dispose();
    this.#drag.dispose();
    this.#grid.destroy(true);
    this.#container.replaceChildren();
  }

  #listen(): void {
    const container = this.#container;
    const options = this.#options;
    this.#grid.onRendered.subscribe(() => this.#selection.paint());
    this.#grid.onScroll.subscribe(() => {
      if (!this.#restoring) options.onScroll();
    });
    this.#grid.onKeyDown.subscribe((event) => {
      const key = event.getNativeEvent<KeyboardEvent>();
      // Where the active cell is at the end already, the browser would scroll the rows.
      if (movesCell(key)) key.preventDefault();
      if (!obeyKey(key, this.#keyActions)) return;
      key.preventDefault();
      event.stopImmediatePropagation();
    });
    this.#grid.onDblClick.subscribe((_, { row, cell }) => this.#open(row, cell));
    // SlickGrid ends the event at the cell.
    container.addEventListener('click', (event) => this.#click(event), { capture: true });
    this.#grid.onHeaderClick.subscribe((event, { column }) => {
      const index = this.#indexOf(column.id);
      if (index === undefined) return this.#selection.selectAll();
      if (this.#drag.justDragged) return;
      this.#cycleOrder(index, event.getNativeEvent<MouseEvent>().shiftKey);
      this.#grid.focus();
    });
    this.#grid.onColumnsResized.subscribe((_, { triggeredByColumn }) => {
      const resized = this.#grid.getColumns().find(({ id }) => id === triggeredByColumn);
      const index = this.#indexOf(triggeredByColumn);
      if (index !== undefined && resized?.width) options.onWidth(index, resized.width);
    });
    this.#grid.onColumnsResizeDblClick.subscribe((_, { triggeredByColumn }) => {
      const index = this.#indexOf(triggeredByColumn);
      if (index !== undefined) this.fit(index);
    });
    // A header that takes the focus is scrolled into view; the rows follow.
    const header = container.querySelector('.slick-header-right');
    header?.addEventListener('scroll', () => {
      if (Math.abs(header.scrollLeft - this.scroll.left) > 1)
        this.#grid.scrollToX(header.scrollLeft);
    });
  }

  #gridColumns() {
    return gridColumns({
      container: this.#container,
      table: this.#table,
      lastNumber: this.#lastNumber,
      columns: this.#columns,
      widths: this.#view().widths,
      onPanel: this.#options.onPanel,
    });
  }

  /**
   * Whether new rows widen a column that nobody has resized, such as times with new milliseconds. None gets narrower.
   */
  #needsWidth(columns: ViewTable['columns']): boolean {
    const before = this.#table.columns;
    const grows = ({ characters }: ViewColumn, index: number) =>
      characters > (before[index]?.characters ?? 0);
    const wider = columns.map((column, index) =>
      grows(column, index) ? column : { ...column, characters: before[index]?.characters ?? 0 },
    );
    this.#table = { ...this.#table, columns: wider };
    const { widths } = this.#view();
    return columns.some((column, index) => widths[index] === undefined && grows(column, index));
  }

  /** Makes columns as wide as they should be, since the font or the widest cells have changed. */
  #drawColumns(): void {
    this.#redraw(() => {
      this.#grid.setColumns(this.#gridColumns());
      this.#grid.showOrder(this.#view().order);
      this.#options.onHeaders();
    });
  }

  /** Makes the grid as high as its rows, where its container has no height. */
  #fitRows(rowCount: number): void {
    const { maxRows } = this.#options;
    if (maxRows === undefined) return;
    fitHeight(this.#container, Math.min(maxRows, rowCount) * this.#height);
  }

  #rowHeight(): number {
    return rowHeight(this.#view().wrap, this.#options.maxRows !== undefined);
  }

  /** The container has another size; the cell that has the keyboard stays in view with it. */
  #fitCanvas(): void {
    const focused = this.#container.contains(document.activeElement);
    const active = this.#grid.getActiveCell();
    this.#fitRows(this.#blocks.rowCount);
    this.#redraw(() => {
      this.#grid.resizeCanvas();
      if (focused && active !== null) this.#grid.scrollRowIntoView(active.row, false);
    });
    this.#options.onSize?.();
  }

  #redrawRows(rows: number[]): void {
    this.#redraw(() => {
      this.#grid.invalidateRows(rows);
      this.#grid.render();
    });
  }

  #redraw(redraw: () => void): void {
    this.#grid.keepingFocus(this.#container, redraw, () => this.#firstRowInView());
  }

  #indexOf(id: number | string | undefined): number | undefined {
    return this.#columns.find((index) => columnId(index) === id);
  }

  #firstRowInView(): number {
    return Math.min(Math.ceil(this.scroll.row), this.#blocks.rowCount - 1);
  }

  #resizeBy(place: number, by: number): void {
    const column = this.#grid.getColumns()[place];
    const index = this.#columns[place - 1];
    if (column === undefined || index === undefined) return;
    const width = Math.max(32, (column.width ?? 0) + by);
    this.#options.onWidth(index, width);
    this.#drawColumns();
  }

  #click(event: MouseEvent): void {
    if (!(event.ctrlKey || event.metaKey) || !(event.target instanceof Element)) return;
    if (!event.target.classList.contains('link')) return;
    const place = this.#grid.getCellFromEvent(event);
    const column = this.#columns[(place?.cell ?? 0) - 1];
    if (place !== null && column !== undefined) this.#options.onLink(place.row, column);
  }

  readonly #keyActions: CellKeyActions = {
    copy: () => this.#options.onCopy(),
    selectAll: () => this.#selection.selectAll(),
    selectRow: () => {
      const active = this.#grid.getActiveCell();
      if (active !== null) this.#selection.selectRow(active.row, false);
    },
    order: (descending, add) => this.#orderActive(descending, add),
    open: () => {
      const active = this.#grid.getActiveCell();
      if (active !== null) this.#open(active.row, active.cell);
    },
    detail: () => this.#options.onDetail(),
    toHeader: () => {
      const active = this.#grid.getActiveCell();
      if (active?.row !== 0) return false;
      this.#grid.getHeaderColumn(active.cell).focus();
      return true;
    },
    extend: (event) => this.#selection.extend(event),
  };

  #open(row: number, cell: number): void {
    const column = this.#columns[cell - 1];
    if (column !== undefined) this.#options.onOpen(row, column);
  }

  #orderActive(descending: boolean, add: boolean): void {
    const active = this.#grid.getActiveCell();
    const column = active === null ? undefined : this.#columns[active.cell - 1];
    if (column !== undefined)
      this.#order(toggledOrder(this.#view().order, column, descending, add));
  }

  #cycleOrder(column: number | undefined, add: boolean): void {
    if (column !== undefined) this.#order(cycledOrder(this.#view().order, column, add));
  }

  /** Shows the order at once, so that a second click within the host's answer counts as a second one. */
  #order(order: readonly ColumnOrder[]): void {
    this.#grid.showOrder(order);
    this.#options.onOrder(order);
  }
}
