/**
 * How an answer is arranged: which table is open, and the order, filters, columns, places and chart of each. The page
 * owns this record, and the host stores what the page reports, except for the order and filters: it stores these itself
 * once the rows are arranged.
 */

import type { AnswerViewState, TableViewState } from '../../../../table/src/viewState.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { debounced } from '../../webview/page/dom.ts';
import type { ResultContent, ViewTable } from '../pageContent.ts';
import { channel } from './channel.ts';

const REPORT_MS = 150;

/** The state that only a drawn table has. */
type Places = Pick<TableViewState, 'scroll' | 'selection' | 'active'>;

export class ViewRecord {
  /** Reports the record to the host when it has come to rest. */
  readonly report = debounced(REPORT_MS, () => this.send());
  /** Returns the places of the table that is drawn; undefined while none is. */
  drawn: (() => { readonly table: number; readonly places: Places }) | undefined;
  readonly #answer: AnswerId;
  #view: AnswerViewState;

  constructor({ answer, view }: ResultContent) {
    this.#answer = answer;
    this.#view = view;
  }

  /** The index of the open table. */
  get open(): number {
    return this.#view.table;
  }

  set open(table: number) {
    this.#view = { ...this.#view, table };
  }

  table(index: number): TableViewState {
    return this.#view.tables[index] as TableViewState;
  }

  change(index: number, change: Partial<TableViewState>): void {
    const tables = this.#view.tables.with(index, { ...this.table(index), ...change });
    this.#view = { ...this.#view, tables };
  }

  /** Records the places of the drawn table, to come back to. */
  keepPlaces(): void {
    const drawn = this.drawn?.();
    if (drawn) this.change(drawn.table, drawn.places);
  }

  /** Gives the widths of a table to the same columns of other tables. */
  shareWidths(from: number, tables: readonly ViewTable[]): void {
    const { widths } = this.table(from);
    const columns = tables[from]?.columns ?? [];
    tables.forEach((other, index) => {
      if (index === from) return;
      const shared = { ...this.table(index).widths };
      other.columns.forEach(({ name, type }, column) => {
        const same = columns.findIndex((one) => one.name === name && one.type === type);
        const width = widths[same];
        if (width !== undefined) shared[column] = width;
      });
      this.change(index, { widths: shared });
    });
  }

  /** Reports the record now. The next result takes over the arrangement, so the host gets it before a run. */
  send(): void {
    this.keepPlaces();
    channel.send('arranged', { answer: this.#answer, view: this.#view });
  }
}
