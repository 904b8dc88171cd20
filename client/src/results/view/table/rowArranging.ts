/** Requests a table's order and filters from the host, and shows them in headers and chips. */

import type {
  ColumnFilter,
  ColumnOrder,
  TableViewState,
  ValueKey,
} from '../../../../../table/src/viewState.ts';
import { isCancelled } from '../../../webview/page/channel.ts';
import { element } from '../../../webview/page/dom.ts';
import { channel } from '../channel.ts';
import { drawChips } from '../chips.ts';
import { ColumnPanel } from '../columnPanel.ts';
import type { OpenTable } from './openTable.ts';

export class RowArranging {
  readonly chips = element('div', { class: 'chips flow rigid', role: 'group', label: 'Filters' });
  readonly nothing = element('p', { class: 'nothing dim', text: 'No rows match the filters.' });
  readonly #open: OpenTable;
  readonly #onArranged: (hasOtherFilters: boolean) => void;
  #arranging = new AbortController();
  /** The last successful arrangement, while a request for another one is in progress. */
  #arranged: Pick<TableViewState, 'order' | 'filters'> | undefined;

  /** `onArranged` is called after the rows were reordered or filtered. */
  constructor(open: OpenTable, onArranged: (hasOtherFilters: boolean) => void) {
    this.#open = open;
    this.#onArranged = onArranged;
    this.nothing.hidden = true;
  }

  order(order: readonly ColumnOrder[]): void {
    this.#arrange(order, this.#open.view.filters).catch(this.#open.failed);
  }

  filter(filters: readonly ColumnFilter[]): void {
    this.#arrange(this.#open.view.order, filters).catch(this.#open.failed);
  }

  /** Sorts by a column alone; with `add`, after the existing sort columns. */
  sort(column: number, descending: boolean, add: boolean): void {
    const others = add ? this.#open.view.order.filter((part) => part.column !== column) : [];
    this.order([...others, { column, descending }]);
  }

  /** Shows or hides rows with a cell's value: replaces the column's shown values, or adds to its hidden values. */
  async filterByValue(row: number, column: number, negated: boolean): Promise<void> {
    const key: ValueKey = await channel.request('valueKey', { ...this.#open.place, row, column });
    const { filters } = this.#open.view;
    const same = filters.find(
      (filter) =>
        filter.column === column &&
        filter.kind === 'values' &&
        (filter.negated ?? false) === negated,
    );
    const others = filters.filter((filter) => filter !== same);
    const values = negated && same?.kind === 'values' ? [...same.values, key] : [key];
    this.filter([...others, { column, kind: 'values', values, ...(negated && { negated }) }]);
  }

  openPanel(index: number, anchor: HTMLElement): void {
    if (this.#open.table.columns[index] === undefined) return;
    new ColumnPanel(
      this.#open,
      index,
      (filters) => {
        const { view } = this.#open;
        const others = view.filters.filter(({ column }) => column !== index);
        return this.#arrange(view.order, [...others, ...filters]);
      },
      anchor,
    );
  }

  /** Draws the chips, and the message in place of rows. */
  drawFilters(): void {
    drawChips(this.chips, this.#open, this);
    this.nothing.hidden = this.#open.rowCount > 0;
    this.markHeaders();
  }

  markHeaders(): void {
    const { container, view } = this.#open;
    for (const place of container.querySelectorAll<HTMLElement>('.header-summary')) {
      const column = Number(place.dataset.column);
      const filtered = view.filters.some((filter) => filter.column === column);
      place.closest('.slick-header-column')?.classList.toggle('filtered', filtered);
    }
  }

  async #arrange(order: readonly ColumnOrder[], filters: readonly ColumnFilter[]): Promise<void> {
    const open = this.#open;
    this.#arranging.abort();
    this.#arranging = new AbortController();
    const cancelsAnother = this.#arranged !== undefined;
    this.#arranged ??= { order: open.view.order, filters: open.view.filters };
    const before = this.#arranged;
    open.change({ order, filters });
    if (open.isArriving) open.strip.drawLoaded();
    try {
      const { signal } = this.#arranging;
      const arranged = await channel.request('arrange', { ...open.place, order, filters }, signal);
      this.#arranged = undefined;
      open.rowCount = arranged.rowCount;
      open.record.report();
      open.grid.rearranged();
      this.drawFilters();
      this.#onArranged(before.filters !== filters);
    } catch (error) {
      if (!isCancelled(error)) {
        this.#arranged = undefined;
        open.change(before);
        open.grid.rearranged();
        // Restore the former arrangement, because the cancelled request may still have arranged the rows.
        if (cancelsAnother) this.#arrange(before.order, before.filters).catch(open.failed);
      }
      throw error;
    }
  }
}
