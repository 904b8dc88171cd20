/** A table's detail pane, next to the rows. It follows the active row. */
import { DetailPane } from '../detailPane.ts';
import type { OpenTable } from './openTable.ts';

export class TableDetail {
  readonly #open: OpenTable;
  readonly #parent: HTMLElement;
  #pane: DetailPane | undefined;

  constructor(open: OpenTable, parent: HTMLElement) {
    this.#open = open;
    this.#parent = parent;
  }

  toggle(): void {
    if (this.#pane) return this.#close();
    this.#pane = new DetailPane(this.#open, () => this.#close());
    this.#parent.append(this.#pane.element);
    this.#open.grid.revealActive();
    void this.#pane.show(this.#open.activeCell);
  }

  /** Shows the row of the new active cell. */
  follow(): void {
    const { active } = this.#open.grid;
    if (active) void this.#pane?.show(active);
  }

  /** Makes the pane fetch its row again after the order changed. */
  forget(): void {
    this.#pane?.forget();
  }

  dispose(): void {
    this.#pane?.dispose();
  }

  #close(): void {
    this.#pane?.dispose();
    this.#pane?.element.remove();
    this.#pane = undefined;
    this.#open.grid.focus();
  }
}
