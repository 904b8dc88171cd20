/** The detail pane of a table: opened and closed next to the rows, and following the active one. */
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

  /** The active cell is another one. */
  follow(): void {
    const { active } = this.#open.grid;
    if (active) void this.#pane?.show(active);
  }

  /** The rows are in another order, so the one that is shown is fetched again. */
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
