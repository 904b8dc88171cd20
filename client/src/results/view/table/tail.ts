/**
 * Manages the end of a table at which new rows arrive. While this end is in view, it stays in view. While the user
 * views or focuses other rows, those rows stay in place, and a button shows the number of new rows.
 */

import { grouped } from '../../../../../formats/src/counts.ts';
import { button, element, setText } from '../../../webview/page/dom.ts';
import type { ViewTable } from '../../pageContent.ts';
import type { OpenTable } from './openTable.ts';

/** The time during which newly arrived rows are highlighted, in milliseconds. */
const MARKED_MS = 2_000;

export class Tail {
  readonly #open: OpenTable;
  readonly #button = button({
    class: 'action tail-new',
    title: 'Go to the newest rows',
    onClick: () => this.toNewest(),
  });
  readonly element = element('div', { class: 'tail' }, [this.#button]);
  #newestFirst = false;
  #isFollowed = false;
  #unseen = 0;
  /** Whether the newest rows stay in view. Ends when the user scrolls away, but not when the page shrinks. */
  #sticks = true;
  /** Whether the active cell moves along with the newest row. Set by the button, reset when the user moves the cell. */
  #rides = false;
  /** The topmost row at the last scroll. */
  #top = 0;
  #marked: ReturnType<typeof setTimeout> | undefined;

  constructor(open: OpenTable) {
    this.#open = open;
    this.element.hidden = true;
  }

  /** Shows the newest rows first or last. `isDrawn`: whether they are already drawn in this order. */
  place(newestFirst: boolean, isDrawn: boolean): void {
    this.#isFollowed = true;
    const changed = newestFirst !== this.#newestFirst;
    this.#newestFirst = newestFirst;
    this.element.classList.toggle('first', newestFirst);
    if (!isDrawn && changed && this.#isInOrder) this.#open.grid.rearranged();
    if (this.#isInOrder) this.toNewest();
  }

  /** Updates the view after rows arrived and older ones were removed. The open table already has the new rows. */
  arrived(before: ViewTable): void {
    const open = this.#open;
    const { table, grid, lastNumber } = open;
    // More rows of a query that isn't followed are not new, because its answer is still arriving.
    if (!this.#isFollowed) return grid.arrived(0, Number.POSITIVE_INFINITY);
    const first = before.totalRows + (before.removedRows ?? 0);
    const added = lastNumber - first;
    const removed = (table.removedRows ?? 0) - (before.removedRows ?? 0);
    const sticks = this.#isInOrder && this.#sticks && (this.#rides || !grid.hasKeyboard);
    const isPlain = this.#isInOrder && open.view.filters.length === 0;
    const shift = !isPlain ? 0 : this.#newestFirst ? added : -removed;
    grid.arrived(shift, first);
    if (sticks) this.toNewest();
    else this.#unseen += Math.max(0, added);
    this.#draw();
    clearTimeout(this.#marked);
    this.#marked = setTimeout(() => grid.endMarks(), MARKED_MS);
  }

  scrolled(): void {
    const { from } = this.#open.grid.rowsInView;
    // Ignore a scroll with the same topmost row, which a shrinking page also reports.
    if (this.#isAtNewest) this.#sticks = true;
    else if (from !== this.#top) this.#sticks = false;
    this.#top = from;
    if (this.#unseen === 0 || !this.#isInOrder || !this.#sticks) return;
    this.#unseen = 0;
    this.#draw();
  }

  resized(): void {
    // A different topmost row means that the user scrolled. The scroll event follows later.
    const stays = this.#sticks && this.#open.grid.rowsInView.from === this.#top;
    if (this.#isFollowed && this.#isInOrder && stays && !this.#open.grid.hasKeyboard)
      this.toNewest();
  }

  /** Called when the user has moved the active cell. */
  moved(): void {
    this.#rides = false;
  }

  toNewest(): void {
    const { grid, rowCount } = this.#open;
    const rides = grid.hasKeyboard || this.element.contains(document.activeElement);
    grid.scrollToEnd(this.#newestFirst);
    if (rides) grid.goToRow(this.#newestFirst ? 0 : rowCount - 1);
    this.#rides = rides;
    this.#sticks = true;
    this.#top = grid.rowsInView.from;
    this.#unseen = 0;
    this.#draw();
  }

  dispose(): void {
    clearTimeout(this.#marked);
  }

  /** Whether rows are in order of arrival. */
  get #isInOrder(): boolean {
    return this.#open.view.order.length === 0;
  }

  get #isAtNewest(): boolean {
    const { grid, rowCount } = this.#open;
    const { from, to } = grid.rowsInView;
    return this.#newestFirst ? from < 1 : to >= rowCount - 1;
  }

  #draw(): void {
    const shown = this.#unseen > 0 && this.#isInOrder;
    const focused = this.element.contains(document.activeElement);
    this.element.hidden = !shown;
    setText(this.#button, `${grouped(this.#unseen)} new`);
    if (focused && !shown) this.#open.grid.focus();
  }
}
