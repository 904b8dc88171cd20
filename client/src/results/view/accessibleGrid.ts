/**
 * SlickGrid with the semantics of an ARIA grid. The active cell has the focus, where SlickGrid focuses an
 * element that says nothing; positions are counted over all rows, not the drawn ones; and the row numbers,
 * which SlickGrid keeps in rows of their own to freeze them, belong to the rows that they number.
 */
import { SlickGrid } from 'slickgrid';
import type { RowOrder } from '../messages.ts';
import { columnId, numberColumn } from './columns.ts';
import { element } from './dom.ts';

/** The header is row 1. */
const firstRowIndex = 2;

export class AccessibleGrid extends SlickGrid {
  protected override setFocus(): void {
    this.activeCellNode?.focus({ preventScroll: true });
  }

  /** Makes a cell active as `setActiveCell` does, but leaves the scroll position as it is. */
  activate(row: number, cell: number): void {
    this.setActiveCellInternal(this.getCellNode(row, cell), false);
  }

  /** Prepares the parts that do not change: roles, one tab stop, and positions after each drawing. */
  makeAccessible(container: HTMLElement, attributes: Readonly<Record<string, string>>): void {
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
    container.addEventListener('keydown', leave, { capture: true });
    this.onActiveCellChanged.subscribe(() => {
      this.#markTabStop(container);
      if (container.contains(document.activeElement)) this.setFocus();
    });
    this.onRendered.subscribe(() => this.#describe(container));
    this.#describe(container);
  }

  /** Does what may replace the focused cell's element, and gives the focus to the new one. */
  keepingFocus(container: HTMLElement, redraw: () => void): void {
    const focused = container.contains(document.activeElement);
    redraw();
    if (focused && !container.contains(document.activeElement)) this.setFocus();
  }

  /** Shows the order of the rows in the header. */
  showOrder(order: RowOrder | null): void {
    this.setSortColumns(
      order === null ? [] : [{ columnId: columnId(order.column), sortAsc: !order.descending }],
    );
    for (const { id } of this.getColumns()) {
      const header = this.getHeaderColumn(id) as HTMLElement;
      header.removeAttribute('aria-sort');
      if (order !== null && id === columnId(order.column))
        header.ariaSort = order.descending ? 'descending' : 'ascending';
    }
  }

  #describe(container: HTMLElement): void {
    const id = (row: number | string) => `${this.getUID()}-number-${row}`;
    for (const row of container.querySelectorAll<HTMLElement>('.slick-pane-left .slick-row')) {
      row.role = 'presentation';
      if (row.firstElementChild) row.firstElementChild.id = id(row.dataset.row ?? '');
    }
    for (const row of container.querySelectorAll<HTMLElement>('.slick-pane-right .slick-row')) {
      const index = Number(row.dataset.row);
      row.ariaRowIndex = String(index + firstRowIndex);
      row.setAttribute('aria-owns', id(index));
    }
    const [left, right] = container.querySelectorAll('.slick-header-columns');
    if (left && right) {
      left.role = 'presentation';
      right.ariaRowIndex = '1';
      right.setAttribute('aria-owns', this.getUID() + numberColumn);
    }
    this.#markTabStop(container);
  }

  /** Tab reaches the active cell, or the first drawn one while the active cell is far away. */
  #markTabStop(container: HTMLElement): void {
    for (const cell of container.querySelectorAll<HTMLElement>('.slick-cell[tabindex="0"]'))
      cell.tabIndex = -1;
    const stop = this.activeCellNode?.isConnected
      ? this.activeCellNode
      : container.querySelector<HTMLElement>('.slick-pane-right .slick-cell');
    if (stop) stop.tabIndex = 0;
  }
}
