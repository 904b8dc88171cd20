/** Order and filters of a table: asked of the host, shown in the headers and as chips. */

import type { ColumnFilter, ColumnOrder, ValueKey } from '../../../../../table/src/viewState.ts';
import { isCancelled } from '../../../webview/page/channel.ts';
import { element } from '../../../webview/page/dom.ts';
import { channel } from '../channel.ts';
import { drawChips } from '../chips.ts';
import { ColumnPanel } from '../columnPanel.ts';
import type { OpenTable } from './openTable.ts';
import { columnSummary } from './summary.ts';

interface RowArrangingActions {
  /** The rows are in another order or are others. */
  readonly onArranged: (hasOtherFilters: boolean) => void;
  readonly onProblem: (error: unknown) => void;
}

export class RowArranging {
  readonly chips = element('div', {
    class: 'chips',
    attributes: { role: 'group', 'aria-label': 'Filters' },
  });
  readonly nothing = element('p', { class: 'nothing', text: 'No rows match the filters.' });
  readonly #open: OpenTable;
  readonly #actions: RowArrangingActions;
  #arranging = new AbortController();

  constructor(open: OpenTable, actions: RowArrangingActions) {
    this.#open = open;
    this.#actions = actions;
    this.nothing.hidden = true;
  }

  order(order: readonly ColumnOrder[]): void {
    this.#arrange(order, this.#open.view.filters).catch(this.#actions.onProblem);
  }

  filter(filters: readonly ColumnFilter[]): void {
    this.#arrange(this.#open.view.order, filters).catch(this.#actions.onProblem);
  }

  /** Orders by one column, or by it after the others. */
  sort(column: number, descending: boolean, add: boolean): void {
    const others = add ? this.#open.view.order.filter((part) => part.column !== column) : [];
    this.order([...others, { column, descending }]);
  }

  /** Keeps the rows with the value of a cell, or the others. */
  async filterByValue(row: number, column: number, negated: boolean): Promise<void> {
    const key: ValueKey = await channel.request('valueKey', { ...this.#open.place, row, column });
    const { filters } = this.#open.view;
    const others = filters.filter(
      (filter) =>
        !(filter.column === column && filter.kind === 'values' && filter.negated === negated),
    );
    const same = filters.find(
      (filter) => filter.column === column && filter.kind === 'values' && negated && filter.negated,
    );
    const values = same?.kind === 'values' ? [...same.values, key] : [key];
    this.filter([...others, { column, kind: 'values', values, ...(negated && { negated }) }]);
  }

  openPanel(index: number, anchor: HTMLElement): void {
    const { table, place, view } = this.#open;
    const column = table.columns[index];
    if (column === undefined) return;
    const own = (filter: ColumnFilter) => filter.column === index;
    new ColumnPanel(
      {
        index,
        column,
        filters: view.filters.filter(own),
        summary: (signal) => columnSummary(this.#open, index, signal),
        values: (search, signal) =>
          channel.request('values', { ...place, column: index, search }, signal),
        parseTime: (text) => channel.request('parseTime', { text }),
        apply: (filters) => {
          const others = this.#open.view.filters.filter((filter) => !own(filter));
          return this.#arrange(this.#open.view.order, [...others, ...filters]);
        },
        onClose: () => undefined,
      },
      anchor,
    );
  }

  /** The chips, and what is said in place of rows. */
  drawFilters(): void {
    const { table, view, rowCount } = this.#open;
    drawChips(this.chips, table, view.filters, rowCount, {
      onOpen: (column, anchor) => this.openPanel(column, anchor),
      onFilters: (filters) => this.filter(filters),
    });
    this.nothing.hidden = rowCount > 0;
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

  /** Names the operations that apply only to loaded rows while the service has more; empty if none. */
  get ofLoadedRows(): string {
    const { more, view } = this.#open;
    const [sorted, filtered] = [view.order.length > 0, view.filters.length > 0];
    if (!more || !(sorted || filtered)) return '';
    return !filtered ? 'Order' : sorted ? 'Order and filters' : 'Filters';
  }

  async #arrange(order: readonly ColumnOrder[], filters: readonly ColumnFilter[]): Promise<void> {
    const open = this.#open;
    this.#arranging.abort();
    this.#arranging = new AbortController();
    const before = open.view;
    open.change({ order, filters });
    try {
      const { signal } = this.#arranging;
      const arranged = await channel.request('arrange', { ...open.place, order, filters }, signal);
      open.rowCount = arranged.rowCount;
      open.record.report();
      open.grid.rearranged(order, arranged.rowCount);
      this.drawFilters();
      this.#actions.onArranged(before.filters !== filters);
    } catch (error) {
      if (!isCancelled(error)) {
        open.change({ order: before.order, filters: before.filters });
        open.grid.rearranged(before.order, open.rowCount);
      }
      throw error;
    }
  }
}
