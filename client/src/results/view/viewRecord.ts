/**
 * An answer's arrangement: the open table, and each table's order, filters, columns, positions and chart. The page owns
 * this record and reports it to the host, which stores it. Reported orders and filters are ignored: the host stores
 * these once it has arranged the rows.
 */

import type { AnswerViewState, TableViewState } from '../../../../table/src/viewState.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { debounced } from '../../webview/page/dom.ts';
import type { ResultContent, ViewTable } from '../pageContent.ts';
import { channel } from './channel.ts';

const REPORT_MS = 150;

/** The part of the state that exists only while the table is drawn. */
type Places = Pick<TableViewState, 'scroll' | 'selection' | 'active'>;

export class ViewRecord {
  /** Reports the record to the host once changes have settled. */
  readonly report = debounced(REPORT_MS, () => this.send());
  /** Returns the state of the drawn table; undefined if no table is drawn. */
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

  /** Stores the scroll position, selection and active cell of the drawn table in the record, to restore them later. */
  keepPlaces(): void {
    const drawn = this.drawn?.();
    if (drawn) this.change(drawn.table, drawn.places);
  }

  /** Copies the column widths of a table to columns with the same name and type in other tables. */
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

  /** Reports the record immediately. Called before a run, because the next result reuses the arrangement. */
  send(): void {
    this.keepPlaces();
    channel.send('arranged', { answer: this.#answer, view: this.#view });
  }
}
