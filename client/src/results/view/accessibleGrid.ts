/**
 * Adds ARIA grid semantics to SlickGrid. The active cell has the focus instead of SlickGrid's unlabeled element. ARIA
 * positions count all rows, not only drawn ones. Row numbers and pinned columns, which SlickGrid draws in separate
 * rows, are owned by their data rows.
 */
import { SlickGrid } from 'slickgrid';
import type { ColumnOrder } from '../../../../table/src/viewState.ts';
import { element, setText } from '../../webview/page/dom.ts';
import { columnId } from './columns.ts';

/** The ARIA index of the first data row. The header is row 1. */
const firstRowIndex = 2;

export class AccessibleGrid extends SlickGrid {
  protected override setFocus(): void {
    this.activeCellNode?.focus({ preventScroll: true });
  }

  /** The grid's scrolling part, to the right of the row numbers and pinned columns. */
  get viewport(): HTMLElement {
    return this._viewportTopR;
  }

  get rowsCanvas(): HTMLElement {
    return this._canvasTopR;
  }

  /** The grid's part with the row numbers and pinned columns. */
  get pinnedCanvas(): HTMLElement {
    return this._canvasTopL;
  }

  /** The rows in view, including partly visible ones. */
  get rowsInView(): { readonly from: number; readonly to: number } {
    const { rowHeight } = this;
    const from = Math.max(0, this.scrollTop + this.offset) / rowHeight;
    return { from, to: from + this.viewport.clientHeight / rowHeight };
  }

  get firstRowInView(): number {
    return Math.min(Math.ceil(this.rowsInView.from), this.getDataLength() - 1);
  }

  get rowHeight(): number {
    return this.getOptions().rowHeight as number;
  }

  /** Activates a cell like `setActiveCell`, but without scrolling. */
  activate(row: number, cell: number): void {
    this.setActiveCellInternal(this.getCellNode(row, cell), false);
  }

  /** Moves the active cell along with its row, or clears it if the row is gone. */
  shiftActive(by: number, rowCount: number): void {
    if (this.activeCellNode === null || by === 0) return;
    const row = this.activeRow + by;
    if (row < 0 || row >= rowCount) return this.resetActiveCell();
    this.activeRow = row;
    this.activePosY = row;
  }

  override updateRowCount(): void {
    super.updateRowCount();
    const grid = this._container.querySelector('[role="grid"]');
    grid?.setAttribute('aria-rowcount', String(this.getDataLength() + 1));
  }

  /** Sets up roles, one tab stop, and positions after each drawing. `signal` removes the container's listeners. */
  makeAccessible(attributes: Readonly<Record<string, string>>, signal: AbortSignal): void {
    const container = this._container;
    // Use the right panes as the grid. Their rows refer to the row numbers in the left panes with `aria-owns`.
    container.removeAttribute('role');
    const panes = container.querySelectorAll('.slick-pane-right');
    container.append(element('div', { role: 'grid', attributes }, [...panes]));
    for (const part of container.querySelectorAll('.slick-pane, .slick-viewport, .grid-canvas'))
      part.removeAttribute('tabindex');
    this._focusSink.remove();
    this._focusSink2.remove();
    // Let Tab leave the grid, because SlickGrid would move the focus through every cell.
    const leave = (event: KeyboardEvent) => event.key === 'Tab' && event.stopPropagation();
    container.addEventListener('keydown', leave, { capture: true, signal });
    this.onActiveCellChanged.subscribe(() => {
      this.#markTabStop();
      // Keep the focus in a header while the rows are being sorted.
      const focused = document.activeElement;
      if (container.contains(focused) && !focused?.closest('.slick-header')) this.setFocus();
    });
    this.onRendered.subscribe(() => this.#describe());
    this.#describe();
  }

  /** Runs a redraw that may replace the focused cell's element, and focuses the new element. */
  keepingFocus(redraw: () => void): void {
    const focused = this._container.contains(document.activeElement);
    redraw();
    if (focused && !this._container.contains(document.activeElement)) this.focusIn();
  }

  /** Focuses the active cell, or a cell in the first row in view if the active cell is not drawn. */
  focusIn(): void {
    const row = this.firstRowInView;
    if (this.activeCellNode?.isConnected !== true && row >= 0)
      this.activate(row, this.getActiveCell()?.cell ?? this.activeCell ?? 1);
    this.setFocus();
  }

  /** Shows the sort order in the headers, with ranks if several columns are sorted. */
  showOrder(order: readonly ColumnOrder[]): void {
    this.setSortColumns(
      order.map(({ column, descending }) => ({
        columnId: columnId(column),
        sortAsc: !descending,
      })),
    );
    for (const { id } of this.getColumns()) {
      const header = this.getHeaderColumn(id) as HTMLElement;
      const rank = order.findIndex(({ column }) => columnId(column) === id);
      const part = order[rank];
      if (part === undefined) header.removeAttribute('aria-sort');
      else header.ariaSort = part.descending ? 'descending' : 'ascending';
      const mark = header.querySelector<HTMLElement>('.sort-rank');
      if (mark) setText(mark, rank >= 0 && order.length > 1 ? String(rank + 1) : '');
    }
  }

  #describe(): void {
    const container = this._container;
    const ids = (part: Element, name: number | string) => {
      const cells = [...part.children];
      cells.forEach((cell, index) => {
        cell.id ||= `${this.getUID()}-${name}-${index}`;
      });
      return cells.map(({ id }) => id).join(' ');
    };
    const owned = new Map<string, string>();
    for (const row of container.querySelectorAll<HTMLElement>('.slick-pane-left .slick-row')) {
      row.role = 'presentation';
      owned.set(row.dataset.row ?? '', ids(row, row.dataset.row ?? ''));
    }
    for (const row of container.querySelectorAll<HTMLElement>('.slick-pane-right .slick-row')) {
      const index = Number(row.dataset.row);
      row.ariaRowIndex = String(index + firstRowIndex);
      row.setAttribute('aria-owns', owned.get(String(index)) ?? '');
    }
    for (const header of container.querySelectorAll<HTMLElement>('.slick-header-column'))
      header.tabIndex = -1;
    const [left, right] = container.querySelectorAll('.slick-header-columns');
    if (left && right) {
      left.role = 'presentation';
      right.ariaRowIndex = '1';
      right.setAttribute('aria-owns', ids(left, 'header'));
    }
    this.#markTabStop();
  }

  /** Makes the active cell the tab stop, or the first drawn cell if the active one is not drawn. */
  #markTabStop(): void {
    const container = this._container;
    for (const cell of container.querySelectorAll<HTMLElement>('.slick-cell[tabindex="0"]'))
      cell.tabIndex = -1;
    const stop = this.activeCellNode?.isConnected
      ? this.activeCellNode
      : container.querySelector<HTMLElement>('.slick-pane-right .slick-cell');
    if (stop) stop.tabIndex = 0;
  }
}
