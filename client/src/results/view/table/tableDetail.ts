/** The detail pane of a table: opened and closed next to the rows, and following the active one. */
import { channel } from '../channel.ts';
import { DetailPane } from '../detailPane.ts';
import type { Copying } from './copying.ts';
import type { OpenTable } from './openTable.ts';

export class TableDetail {
  readonly #open: OpenTable;
  readonly #parent: HTMLElement;
  readonly #copying: Copying;
  #pane: DetailPane | undefined;

  constructor(open: OpenTable, parent: HTMLElement, copying: Copying) {
    this.#open = open;
    this.#copying = copying;
    this.#parent = parent;
  }

  toggle(): void {
    if (this.#pane) return this.#close();
    const { place, parts } = this.#open;
    this.#pane = new DetailPane(
      {
        fetch: (row, nested, signal) =>
          channel.request('detail', { ...place, row, nested }, signal),
        onStep: (by) => this.#step(by),
        onFilter: (row, column, path, exclude) =>
          this.#open.filterQuery({ row, column }, path, exclude),
        onCopy: (row, column, path, what) =>
          void this.#copying.copyValue({ row, column }, path, what),
        onLink: (row, column, path) => channel.send('openLink', { ...place, row, column, path }),
        onClose: () => this.#close(),
      },
      parts.result.editable,
    );
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

  #step(by: number): void {
    const { grid, rowCount } = this.#open;
    const { active } = grid;
    if (active === undefined) return;
    const row = Math.max(0, Math.min(active.row + by, rowCount - 1));
    const focused = document.activeElement;
    grid.go(row, active.column);
    if (focused instanceof HTMLElement && this.#pane?.element.contains(focused)) focused.focus();
  }

  #close(): void {
    this.#pane?.dispose();
    this.#pane?.element.remove();
    this.#pane = undefined;
    this.#open.grid.focus();
  }
}
