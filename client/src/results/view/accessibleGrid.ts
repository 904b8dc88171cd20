/**
 * SlickGrid with the semantics of an ARIA grid. The active cell has the focus, where SlickGrid focuses an
 * element that says nothing; positions are counted over all rows, not the drawn ones; and the cells of row
 * numbers and pinned columns, which SlickGrid keeps in separate rows, belong to the rows that they are in.
 */
import { SlickGrid } from 'slickgrid';
import type { ColumnOrder } from '../../../../table/src/viewState.ts';
import { element } from '../../webview/page/dom.ts';
import { columnId } from './columns.ts';

/** The header is row 1. */
const firstRowIndex = 2;

export class AccessibleGrid extends SlickGrid {
  protected override setFocus(): void {
    this.activeCellNode?.focus({ preventScroll: true });
  }

  /** The part to the right of the row numbers and pinned columns, which scrolls. */
  get viewport(): HTMLElement {
    return this._viewportTopR;
  }

  get rowsCanvas(): HTMLElement {
    return this._canvasTopR;
  }

  /** The part with the row numbers and pinned columns. */
  get pinnedCanvas(): HTMLElement {
    return this._canvasTopL;
  }

  /** The rows that can be seen, in part too. */
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

  /** Makes a cell active as `setActiveCell` does, but leaves the scroll position as it is. */
  activate(row: number, cell: number): void {
    this.setActiveCellInternal(this.getCellNode(row, cell), false);
  }

  /** The rows are elsewhere: the active cell goes with its row, or is none where that is gone. */
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

  /**
   * Prepares the parts that do not change: roles, one tab stop, and positions after each drawing. The signal ends the
   * listeners on the container, which outlives the grid.
   */
  makeAccessible(attributes: Readonly<Record<string, string>>, signal: AbortSignal): void {
    const container = this._container;
    // The grid is around the panes on the right, whose rows own the row numbers of the panes on the left.
    container.removeAttribute('role');
    const panes = container.querySelectorAll('.slick-pane-right');
    container.append(element('div', { attributes: { role: 'grid', ...attributes } }, [...panes]));
    for (const part of container.querySelectorAll('.slick-pane, .slick-viewport, .grid-canvas'))
      part.removeAttribute('tabindex');
    this._focusSink.remove();
    this._focusSink2.remove();
    // Arrows move in the grid and Tab leaves it; the grid's own Tab would go through every cell.
    const leave = (event: KeyboardEvent) => event.key === 'Tab' && event.stopPropagation();
    container.addEventListener('keydown', leave, { capture: true, signal });
    this.onActiveCellChanged.subscribe(() => {
      this.#markTabStop();
      // A header keeps the focus while the rows below it are drawn in another order.
      const focused = document.activeElement;
      if (container.contains(focused) && !focused?.closest('.slick-header')) this.setFocus();
    });
    this.onRendered.subscribe(() => this.#describe());
    this.#describe();
  }

  /** Does what may replace the focused cell's element, and gives the focus to the new one. */
  keepingFocus(redraw: () => void): void {
    const focused = this._container.contains(document.activeElement);
    redraw();
    if (focused && !this._container.contains(document.activeElement)) this.focusIn();
  }

  /** Takes the focus at the active cell, or in the first row in view where the active cell is not drawn. */
  focusIn(): void {
    const row = this.firstRowInView;
    if (this.activeCellNode?.isConnected !== true && row >= 0)
      this.activate(row, this.getActiveCell()?.cell ?? this.activeCell ?? 1);
    this.setFocus();
  }

  /** Shows the order of the rows in the header; where several columns count, with their ranks. */
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
      if (mark) mark.textContent = rank >= 0 && order.length > 1 ? String(rank + 1) : '';
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

  /** Tab reaches the active cell, or the first drawn one while the active cell is far away. */
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
