/** One table of an answer as the page has it: its place in the store, how it is arranged, and its grid. */

import type { TableViewState } from '../../../../../table/src/viewState.ts';
import { element } from '../../../webview/page/dom.ts';
import type { ResultContent, Screen, ValuePath, ViewTable } from '../../messages.ts';
import type { AnswerId } from '../../store/protocol.ts';
import { channel } from '../channel.ts';
import { drawnColumns } from '../columns.ts';
import type { ResultGrid } from '../grid.ts';
import type { RunCommand } from '../messages.ts';
import type { ViewRecord } from '../viewRecord.ts';

export interface TableViewParts {
  readonly result: ResultContent;
  readonly table: number;
  readonly record: ViewRecord;
  readonly screen: Screen;
  readonly nonce: string;
  readonly run: RunCommand;
  /** The grid is as high as its rows, up to this many; absent where it fills the page. */
  readonly maxRows?: number;
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export class OpenTable {
  readonly parts: TableViewParts;
  table: ViewTable;
  readonly place: { readonly answer: AnswerId; readonly table: number };
  readonly container = element('div', { class: 'grid' });
  rowCount: number;
  /** Whether there are more rows in the service than were loaded. */
  more: boolean;
  #grid: ResultGrid | undefined;

  constructor(parts: TableViewParts) {
    const { result, table } = parts;
    this.parts = parts;
    this.place = { answer: result.answer, table };
    this.table = result.tables[table] as ViewTable;
    this.rowCount = this.table.rowCount;
    this.more = result.more && table === 0;
  }

  /** Only a table with rows is drawn; the grid measures its container, so not before that is in the page. */
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

  /** The columns that are drawn, in display order. */
  get columns(): readonly number[] {
    return drawnColumns(this.view).columns;
  }

  get activeCell(): CellPlace {
    return this.grid.active ?? { row: 0, column: this.columns[0] ?? 0 };
  }

  /** Adds a value to the query as a filter. */
  filterQuery(cell: CellPlace, path: ValuePath, exclude: boolean): void {
    this.record.send();
    channel.send('filterQuery', { ...this.place, ...cell, path, exclude });
  }
}
