/** One table of an answer: chips of its filters, find, the grid, the detail pane and the strip below. */

import { counted } from '../../../../formats/src/counts.ts';
import type { TableViewState } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { element } from '../../webview/page/dom.ts';
import type { MenuPlace, PageAction, ResultContent, ViewTable } from '../messages.ts';
import { channel } from './channel.ts';
import { chooseColumns } from './columnChooser.ts';
import type { FindBar } from './findBar.ts';
import { ResultGrid } from './grid.ts';
import { noEventsMessage, noRowsMessage } from './messages.ts';
import { StatusStrip } from './statusStrip.ts';
import { Summaries } from './summaries.ts';
import { actOn } from './table/actions.ts';
import { moveColumn } from './table/columnPlaces.ts';
import { Copying } from './table/copying.ts';
import { menuContext } from './table/menuContext.ts';
import { OpenTable, type TableViewParts } from './table/openTable.ts';
import { RowArranging } from './table/rowArranging.ts';
import { columnSummary } from './table/summary.ts';
import { TableDetail } from './table/tableDetail.ts';
import { tableFind } from './table/tableFind.ts';
import { Tail } from './table/tail.ts';

/** Summaries of rows that keep arriving are made again after this time. */
const SUMMARIES_MS = 5_000;

export class TableView {
  readonly element: HTMLElement;
  readonly #open: OpenTable;
  readonly #announced = element('p', { class: 'heard', attributes: { role: 'status' } });
  readonly #find: FindBar;
  readonly #arranging: RowArranging;
  readonly #copying: Copying;
  readonly #detail: TableDetail;
  readonly #strip: StatusStrip;
  readonly #summaries: Summaries;
  readonly #tail: Tail;
  readonly #disposed = new AbortController();
  #summariesAt = 0;
  #loadsAll = false;

  constructor(parts: TableViewParts) {
    const open = new OpenTable(parts);
    this.#open = open;
    this.#tail = new Tail(open);
    this.#find = tableFind(open);
    this.#strip = this.#makeStrip();
    this.#arranging = new RowArranging(open, {
      onArranged: (hasOtherFilters) => this.#arranged(hasOtherFilters),
      onProblem: (error) => this.#say(error),
    });
    this.#copying = new Copying(open, {
      onCopied: (message) => {
        this.#announced.textContent = message;
        this.#strip.note(message);
      },
      onProblem: (error) => this.#say(error),
    });
    this.#summaries = new Summaries(
      open.container,
      open.table,
      () => open.grid.columnsInView,
      (column, signal) => columnSummary(open, column, signal),
    );
    const { chips, nothing } = this.#arranging;
    const body = element('div', { class: 'body' }, [
      element('div', { class: 'rows' }, [
        this.#find.element,
        open.container,
        nothing,
        this.#tail.element,
      ]),
    ]);
    this.#detail = new TableDetail(open, body, this.#copying);
    this.element = element('div', { class: 'table-view' }, [
      chips,
      body,
      this.#strip.element,
      this.#announced,
    ]);
  }

  /** Draws the grid; the element is in the page by now. */
  start(): void {
    const { table, parts, view } = this.#open;
    if (table.totalRows === 0) {
      const follows = table.removedRows !== undefined;
      this.element.replaceChildren(
        follows ? noEventsMessage() : noRowsMessage(parts.run, parts.result.hint),
      );
      return;
    }
    this.#draw();
    this.#arranging.drawFilters();
    this.#drawLoaded();
    this.#find.restore(view.find);
    if (parts.result.loadsAll) void this.#loadAll(false);
  }

  /** The table as it is now, to come back to. */
  get table(): ViewTable {
    const { table, rowCount } = this.#open;
    return this.isEmpty ? table : { ...table, rowCount };
  }

  get isEmpty(): boolean {
    return !this.#open.isDrawn;
  }

  focus(): void {
    if (!this.isEmpty) this.#open.grid.focus();
  }

  dim(isDimmed: boolean): void {
    this.#open.container.role = 'group';
    this.#open.container.ariaDisabled = String(isDimmed);
  }

  /** Whether the service has more rows has turned out, and why they were not loaded; the rows in view stay as they are. */
  offerMore({ more, stopped }: ResultContent): void {
    this.#open.more = more && this.#open.place.table === 0;
    this.#strip.offerMore(this.#open.more);
    if (stopped !== undefined && this.#open.more) this.#strip.problem(stopped);
    this.#drawLoaded();
  }

  /** Whether the newest rows are at the top, of a query that is followed; `isDrawn` where the rows are so already. */
  placeNewest(first: boolean, isDrawn: boolean): void {
    if (!this.isEmpty) this.#tail.place(first, isDrawn);
  }

  /** Rows have arrived, and older ones may be gone. */
  arrived(table: ViewTable): void {
    const open = this.#open;
    const { table: before } = open;
    open.table = table;
    open.rowCount = table.rowCount;
    this.#tail.arrived(before);
    this.#arranging.drawFilters();
    this.#strip.selected(open.grid.selection);
    if (open.view.find.text !== '') this.#find.again();
    const now = performance.now();
    if (now - this.#summariesAt < SUMMARIES_MS) return;
    this.#summariesAt = now;
    this.#summaries.reset();
  }

  /** The find bar takes the keyboard. */
  find(): void {
    if (!this.isEmpty) this.#find.open();
  }

  chooseColumns(anchor: HTMLElement): void {
    if (this.isEmpty) return;
    const { table, view } = this.#open;
    chooseColumns(anchor, table, view.columnOrder, view.hidden, (hidden) =>
      this.#arrangeColumns({ hidden }),
    );
  }

  toggleDetail(): void {
    if (!this.isEmpty) this.#detail.toggle();
  }

  toggleWrap(): void {
    if (this.isEmpty) return;
    this.#open.change({ wrap: !this.#open.view.wrap });
    this.#rebuild();
    this.#open.record.report();
  }

  /** Returns the context of a menu at an element, and makes that place active. */
  menuAt(target: Element): object | undefined {
    return this.isEmpty ? undefined : menuContext(this.#open, target);
  }

  act(action: PageAction, place: MenuPlace): void {
    if (this.isEmpty) return;
    const parts = {
      open: this.#open,
      find: this.#find,
      arranging: this.#arranging,
      copying: this.#copying,
      arrangeColumns: (change: Partial<TableViewState>) => this.#arrangeColumns(change),
      moveColumn: (column: number, to: number) => this.#move(column, to),
      toggleWrap: () => this.toggleWrap(),
      toggleDetail: () => this.toggleDetail(),
      loadMore: () => void this.#loadMore(),
      loadAll: () => void this.#loadAll(true),
    };
    actOn(parts, action, place);
  }

  dispose(): void {
    this.#open.record.report.flush();
    this.#open.record.drawn = undefined;
    this.#disposed.abort();
    this.#summaries.dispose();
    this.#strip.dispose();
    this.#detail.dispose();
    this.#tail.dispose();
    if (!this.isEmpty) this.#open.grid.dispose();
  }

  #makeStrip(): StatusStrip {
    const { parts, place, table, more } = this.#open;
    const { timeZone, localZone } = parts.screen;
    return new StatusStrip(
      {
        figures: (blocks, signal) => channel.request('figures', { ...place, blocks }, signal),
        onTimeZone: () => {
          this.#open.record.send();
          channel.send('setTimeZone', { timeZone: timeZone === 'utc' ? 'local' : 'utc' });
        },
        onMore: () => void this.#loadMore(),
        onAll: () => void this.#loadAll(true),
        onCancel: () => channel.send('cancelLoad', { answer: place.answer }),
      },
      { timeZone, localZone, columns: table.columns, more },
    );
  }

  #draw(): void {
    const open = this.#open;
    const { place, parts } = open;
    open.grid = new ResultGrid(
      open.container,
      { ...open.table, rowCount: open.rowCount },
      () => open.view,
      {
        nonce: parts.nonce,
        label: parts.result.label,
        maxRows: parts.maxRows,
        onWindow: (columns, from, to, signal) => {
          const search = open.view.find.text !== '';
          return channel.request('window', { ...place, columns, from, to, search }, signal);
        },
        onOrder: (order) => this.#arranging.order(order),
        onCopy: () => this.#copying.copySelection(),
        onOpen: (row, column) => channel.send('openValue', { ...place, row, column }),
        onLink: (row, column) => channel.send('openLink', { ...place, row, column, path: [] }),
        onDetail: () => this.toggleDetail(),
        onSelect: () => {
          this.#tail.moved();
          this.#selected();
        },
        onScroll: () => {
          open.record.report();
          this.#summaries.draw();
          this.#tail.scrolled();
        },
        onSize: () => this.#tail.resized(),
        onRowHeight: () => this.#rebuild(),
        onWidth: (column, width) => {
          const { [String(column)]: _, ...others } = open.view.widths;
          open.change({ widths: { ...others, [column]: width } });
          open.record.report();
        },
        onPanel: (column, anchor) => this.#arranging.openPanel(column, anchor),
        onMove: (column, to) => this.#move(column, to),
        onHeaders: () => {
          this.#arranging.markHeaders();
          queueMicrotask(() => this.#summaries.draw());
        },
      },
    );
    this.#arranging.markHeaders();
    this.#summaries.draw();
    this.#strip.selected(open.grid.selection);
  }

  #rebuild(): void {
    const open = this.#open;
    const focused = open.container.contains(document.activeElement);
    open.record.keepPlaces();
    open.grid.dispose();
    this.#draw();
    if (focused) open.grid.focus();
  }

  #arrangeColumns(change: Partial<TableViewState>): void {
    const open = this.#open;
    open.change(change);
    if (open.grid.differs(open.view)) this.#rebuild();
    open.record.report();
  }

  #move(column: number, to: number): void {
    const { change, at, count } = moveColumn(this.#open.view, column, to);
    this.#arrangeColumns(change);
    const name = this.#open.table.columns[column]?.name ?? '';
    this.#announced.textContent = `${name} is column ${at + 1} of ${count}`;
  }

  #arranged(hasOtherFilters: boolean): void {
    this.#drawLoaded();
    this.#detail.forget();
    this.#selected();
    if (hasOtherFilters) this.#summaries.reset();
    this.#find.again();
  }

  #drawLoaded(): void {
    this.#strip.ofLoadedRows(this.#arranging.ofLoadedRows);
  }

  #selected(): void {
    const { selection } = this.#open.grid;
    this.#strip.selected(selection);
    this.#announced.textContent = selectionText(selection);
    this.#detail.follow();
    this.#open.record.report();
  }

  async #loadMore(): Promise<void> {
    // Another screen follows, with the rows arranged as the host knows it.
    this.#open.record.send();
    this.#strip.loading(true);
    try {
      await channel.request('loadMore', this.#open.place);
    } catch (error) {
      this.#say(error);
    } finally {
      this.#strip.loading(false);
    }
  }

  /** Follows the load of all rows up to its end, on which another screen follows; `start` begins it. */
  async #loadAll(start: boolean): Promise<void> {
    const { place } = this.#open;
    if (this.#loadsAll || !this.#open.more) return;
    this.#loadsAll = true;
    this.#open.record.send();
    this.#strip.loadingAll('begins');
    const { signal } = this.#disposed;
    try {
      let params = { ...place, rows: 0, start };
      for (;;) {
        const progress = await channel.request('loadAll', params, signal);
        if (progress.done) break;
        this.#strip.loadingAll(progress);
        params = { ...params, rows: progress.rows, start: false };
      }
    } catch (error) {
      this.#say(error);
    } finally {
      this.#loadsAll = false;
      this.#strip.loadingAll('ended');
    }
  }

  #say(error: unknown): void {
    if (isCancelled(error)) return;
    this.#strip.problem(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the announcement of a selection. A single cell is announced by its focus. */
function selectionText(selection: TableViewState['selection']): string {
  const [block] = selection;
  if (block === undefined) return '';
  const [rows, columns] = [block.toRow - block.fromRow, block.columns.length];
  if (rows === 1 && columns === 1) return '';
  return `${counted(rows, 'row')} and ${counted(columns, 'column')} selected`;
}
