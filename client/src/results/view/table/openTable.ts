/** An answer's table on the page: its location in the store, arrangement, grid and status strip. */

import type { TableViewState, ValuePath } from '../../../../../table/src/viewState.ts';
import type { AnswerId, ColumnSummary } from '../../../answers/protocol.ts';
import { isCancelled } from '../../../webview/page/channel.ts';
import { element, setText } from '../../../webview/page/dom.ts';
import { errorMessage } from '../../../words/errors.ts';
import type { ResultContent, Screen, ViewTable } from '../../pageContent.ts';
import type { AnswerViewParts } from '../answerView.ts';
import { channel } from '../channel.ts';
import { drawnColumns } from '../columns.ts';
import type { ResultGrid } from '../grid.ts';
import { StatusStrip } from '../statusStrip.ts';
import type { ViewRecord } from '../viewRecord.ts';

export interface TableViewParts extends Pick<AnswerViewParts, 'nonce' | 'run' | 'maxRows'> {
  readonly result: ResultContent;
  readonly table: number;
  readonly record: ViewRecord;
  readonly screen: Screen;
}

/** The text shown in place of a result that requires all rows, while rows arrive. */
export const waitingForRows = 'Waiting for all rows to arrive';

/** Whether a screen shows the first rows of a run while the rest arrives. */
export function isArriving({ running }: Screen): boolean {
  return running?.arrivedRows !== undefined;
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export class OpenTable {
  readonly parts: TableViewParts;
  table: ViewTable;
  readonly place: { readonly answer: AnswerId; readonly table: number };
  readonly container = element('div', { class: 'grid mono fill' });
  readonly announced = element('p', { class: 'heard', role: 'status' });
  readonly strip: StatusStrip;
  rowCount: number;
  /** Whether the service has more rows than were loaded. */
  more: boolean;
  /** Whether more rows of the run arrive. Until then, the worker doesn't sort, filter, search or summarize the rows. */
  isArriving: boolean;
  #grid: ResultGrid | undefined;

  constructor(parts: TableViewParts) {
    const { result, table } = parts;
    this.parts = parts;
    this.place = { answer: result.answer, table };
    this.table = result.tables[table] as ViewTable;
    this.rowCount = this.table.rowCount;
    this.more = result.more && table === 0;
    this.isArriving = isArriving(parts.screen);
    this.strip = new StatusStrip(this);
  }

  /** Whether the grid exists. It requires rows and a container that is in the page. */
  get isDrawn(): boolean {
    return this.#grid !== undefined;
  }

  get grid(): ResultGrid {
    if (this.#grid === undefined) throw new Error('The table is not drawn.');
    return this.#grid;
  }

  set grid(grid: ResultGrid) {
    this.#grid = grid;
    this.record.drawn = () => {
      const { scroll, selection, active } = grid;
      const places = { scroll, selection, ...(active && { active }) };
      return { table: this.place.table, places };
    };
  }

  get record(): ViewRecord {
    return this.parts.record;
  }

  get view(): TableViewState {
    return this.record.table(this.place.table);
  }

  change(change: Partial<TableViewState>): void {
    this.record.change(this.place.table, change);
  }

  get columns(): readonly number[] {
    return drawnColumns(this.view).columns;
  }

  get activeCell(): CellPlace {
    return this.grid.active ?? { row: 0, column: this.columns[0] ?? 0 };
  }

  /** The greatest row number, from 1. Removed rows keep their numbers. */
  get lastNumber(): number {
    return this.table.totalRows + (this.table.removedRows ?? 0);
  }

  summary(column: number, signal: AbortSignal): Promise<ColumnSummary> {
    return channel.request('summary', { ...this.place, column, top: 5, bins: 30 }, signal);
  }

  setWidth(column: number, width: number): void {
    this.change({ widths: { ...this.view.widths, [column]: width } });
    this.record.report();
  }

  filterQuery(cell: CellPlace, path: ValuePath, exclude: boolean): void {
    this.record.send();
    channel.send('filterQuery', { ...this.place, ...cell, path, exclude });
  }

  openValue(row: number, column: number | undefined): void {
    if (column !== undefined) channel.send('openValue', { ...this.place, row, column });
  }

  openLink(cell: CellPlace, path: ValuePath): void {
    channel.send('openLink', { ...this.place, ...cell, path });
  }

  done(message: string): void {
    setText(this.announced, message);
    this.strip.note(message);
  }

  readonly failed = (error: unknown): void => {
    if (!isCancelled(error)) this.strip.problem(errorMessage(error));
  };
}
