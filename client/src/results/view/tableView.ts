/** An answer's table: filter chips, find bar, grid, detail pane and status strip. */

import { counted } from '../../../../formats/src/counts.ts';
import type { TableViewState } from '../../../../table/src/viewState.ts';
import { element, setText } from '../../webview/page/dom.ts';
import type { MenuPlace, PageAction, ResultContent, Screen, ViewTable } from '../pageContent.ts';
import { chooseColumns } from './columnChooser.ts';
import { message, noRowsMessage } from './emptyStates.ts';
import { FindBar } from './findBar.ts';
import { ResultGrid } from './grid.ts';
import { Summaries } from './summaries.ts';
import { actOn } from './table/actions.ts';
import { moveColumn } from './table/columnPlaces.ts';
import { menuContext } from './table/menuContext.ts';
import { isArriving, OpenTable, type TableViewParts } from './table/openTable.ts';
import { RowArranging } from './table/rowArranging.ts';
import { TableDetail } from './table/tableDetail.ts';
import { Tail } from './table/tail.ts';

/** The minimum time between two summary updates while rows arrive, in milliseconds. */
const SUMMARIES_MS = 5_000;

export class TableView {
  readonly element: HTMLElement;
  readonly open: OpenTable;
  readonly find: FindBar;
  readonly arranging: RowArranging;
  readonly #detail: TableDetail;
  readonly #summaries: Summaries;
  readonly #tail: Tail;
  #summariesAt = 0;

  constructor(parts: TableViewParts) {
    const open = new OpenTable(parts);
    this.open = open;
    this.#tail = new Tail(open);
    this.find = new FindBar(open);
    this.arranging = new RowArranging(open, (hasOtherFilters) => this.#arranged(hasOtherFilters));
    this.#summaries = new Summaries(open);
    const { chips, nothing } = this.arranging;
    const body = element('div', { class: 'body fill' }, [
      element('div', { class: 'rows stack fill' }, [
        this.find.element,
        open.container,
        nothing,
        this.#tail.element,
      ]),
    ]);
    this.#detail = new TableDetail(open, body);
    this.element = element('div', { class: 'table-view stack fill' }, [
      chips,
      body,
      open.strip.element,
      open.announced,
    ]);
  }

  /** Draws the grid, or a message if there are no rows. The element must be in the page. */
  start(): void {
    const { table, parts, view, strip } = this.open;
    if (table.totalRows === 0) {
      const follows = table.removedRows !== undefined;
      this.element.replaceChildren(
        follows
          ? message('No events yet', 'Events appear here as they arrive.')
          : noRowsMessage(parts.run, parts.result.hint),
      );
      return;
    }
    this.#draw();
    this.arranging.drawFilters();
    strip.drawLoaded();
    this.find.restore(view.find);
    if (parts.result.loadsAll) void strip.loadAll(false);
  }

  /** The table in its current state, used to return to it later. */
  get table(): ViewTable {
    const { table, rowCount } = this.open;
    return this.isEmpty ? table : { ...table, rowCount };
  }

  get isEmpty(): boolean {
    return !this.open.isDrawn;
  }

  focus(): void {
    if (!this.isEmpty) this.open.grid.focus();
  }

  dim(isDimmed: boolean): void {
    this.open.container.role = 'group';
    this.open.container.ariaDisabled = String(isDimmed);
  }

  /** Updates whether more rows arrive or can be loaded, and why loading stopped. The visible rows don't change. */
  offerMore({ more, stopped }: ResultContent, screen: Screen): void {
    const { open } = this;
    open.isArriving = isArriving(screen);
    open.more = more && open.place.table === 0;
    if (stopped !== undefined && open.more) open.strip.problem(stopped);
    open.strip.drawLoaded();
  }

  /** Shows a followed query's newest rows first or last. `isDrawn`: whether they are already drawn there. */
  placeNewest(first: boolean, isDrawn: boolean): void {
    if (!this.isEmpty) this.#tail.place(first, isDrawn);
  }

  /** Updates the table after rows arrived and older ones may have been removed. */
  arrived(table: ViewTable): void {
    const { open } = this;
    const { table: before } = open;
    open.table = table;
    open.rowCount = table.rowCount;
    this.#tail.arrived(before);
    this.arranging.drawFilters();
    open.strip.selected(open.grid.selection);
    if (open.view.find.text !== '') this.find.again();
    const now = performance.now();
    if (now - this.#summariesAt < SUMMARIES_MS) return;
    this.#summariesAt = now;
    this.#summaries.reset();
  }

  chooseColumns(anchor: HTMLElement): void {
    if (!this.isEmpty)
      chooseColumns(anchor, this.open, (hidden) => this.arrangeColumns({ hidden }));
  }

  toggleDetail(): void {
    if (!this.isEmpty) this.#detail.toggle();
  }

  toggleWrap(): void {
    if (this.isEmpty) return;
    this.open.change({ wrap: !this.open.view.wrap });
    this.#rebuild();
    this.open.record.report();
  }

  /** Returns the menu context for an element, and activates the cell at the element. */
  menuAt(target: Element): object | undefined {
    return this.isEmpty ? undefined : menuContext(this.open, target);
  }

  act(action: PageAction, place: MenuPlace): void {
    if (!this.isEmpty) actOn(this, action, place);
  }

  arrangeColumns(change: Partial<TableViewState>): void {
    const { open } = this;
    open.change(change);
    if (open.grid.differs(open.view)) this.#rebuild();
    open.record.report();
  }

  moveColumn(column: number, to: number): void {
    const { change, at, count } = moveColumn(this.open.view, column, to);
    this.arrangeColumns(change);
    const name = this.open.table.columns[column]?.name ?? '';
    setText(this.open.announced, `${name} is column ${at + 1} of ${count}`);
  }

  dispose(): void {
    const { open } = this;
    open.record.report.flush();
    open.record.drawn = undefined;
    this.#summaries.dispose();
    open.strip.dispose();
    this.#detail.dispose();
    this.#tail.dispose();
    if (!this.isEmpty) open.grid.dispose();
  }

  #draw(): void {
    const { open } = this;
    open.grid = new ResultGrid(open, {
      onOrder: (order) => this.arranging.order(order),
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
      onPanel: (column, anchor) => this.arranging.openPanel(column, anchor),
      onMove: (column, to) => this.moveColumn(column, to),
      onHeaders: () => {
        this.arranging.markHeaders();
        queueMicrotask(() => this.#summaries.draw());
      },
    });
    this.arranging.markHeaders();
    this.#summaries.draw();
    open.strip.selected(open.grid.selection);
  }

  #rebuild(): void {
    const { open } = this;
    const focused = open.container.contains(document.activeElement);
    open.record.keepPlaces();
    open.grid.dispose();
    this.#draw();
    if (focused) open.grid.focus();
  }

  #arranged(hasOtherFilters: boolean): void {
    this.open.strip.drawLoaded();
    this.#detail.forget();
    this.#selected();
    if (hasOtherFilters) this.#summaries.reset();
    this.find.again();
  }

  #selected(): void {
    const { grid, strip, announced, record } = this.open;
    const { selection } = grid;
    strip.selected(selection);
    setText(announced, selectionText(selection));
    this.#detail.follow();
    record.report();
  }
}

/** Returns the announcement for a selection; empty for a single cell, which is announced when it gets the focus. */
function selectionText(selection: TableViewState['selection']): string {
  const [block] = selection;
  if (block === undefined) return '';
  const [rows, columns] = [block.toRow - block.fromRow, block.columns.length];
  if (rows === 1 && columns === 1) return '';
  return `${counted(rows, 'row')} and ${counted(columns, 'column')} selected`;
}
