/** One table of an answer: chips of its filters, find, the grid, the detail pane and the strip below. */
import { isCancelled } from '../../webview/page/channel.ts';
import { debounced, element } from '../../webview/page/dom.ts';
import type { MenuPlace, PageAction, ResultContent, Screen, ViewTable } from '../messages.ts';
import type { CopyFormat, FoundPlace } from '../store/protocol.ts';
import type { ColumnFilter, ColumnOrder, TableViewState, ValueKey } from '../store/viewState.ts';
import { channel } from './channel.ts';
import { drawChips } from './chips.ts';
import { chooseColumns } from './columnChooser.ts';
import { ColumnPanel } from './columnPanel.ts';
import { drawnColumns } from './columns.ts';
import { DetailPane } from './detailPane.ts';
import { FindBar } from './findBar.ts';
import { ResultGrid } from './grid.ts';
import { noRowsMessage, type RunCommand } from './messages.ts';
import { StatusStrip } from './statusStrip.ts';
import { Summaries } from './summaries.ts';

const REPORT_MS = 150;
const summaryBins = 30;
const summaryTop = 5;

interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface TableViewParts {
  readonly result: ResultContent;
  readonly table: number;
  readonly screen: Screen;
  readonly nonce: string;
  readonly run: RunCommand;
}

const copyActions: Partial<Record<PageAction, readonly [format: CopyFormat, headers: boolean]>> = {
  copy: ['text', false],
  copyWithHeaders: ['text', true],
  copyCsv: ['csv', true],
  copyTsv: ['tsv', true],
  copyJson: ['json', true],
  copyNdjson: ['ndjson', true],
  copyMarkdown: ['markdown', true],
  copyIn: ['in', false],
  copyDatatable: ['datatable', true],
};

export class TableView {
  readonly element: HTMLElement;
  readonly #parts: TableViewParts;
  readonly #table: ViewTable;
  readonly #place: { readonly answer: string; readonly table: number };
  readonly #chips = element('div', {
    class: 'chips',
    attributes: { role: 'group', 'aria-label': 'Filters' },
  });
  readonly #container = element('div', { class: 'grid' });
  readonly #nothing = element('p', { class: 'nothing', text: 'No rows match the filters.' });
  readonly #said = element('p', { class: 'heard', attributes: { role: 'status' } });
  readonly #find: FindBar;
  readonly #strip: StatusStrip;
  readonly #summaries: Summaries;
  readonly #body: HTMLElement;
  readonly #report = debounced(REPORT_MS, () => this.#sendArrangement());
  #detail: DetailPane | undefined;
  #grid: ResultGrid;
  #view: TableViewState;
  #rowCount: number;
  #arranging = new AbortController();
  #more: boolean;
  #searchFrom: Cell = { row: 0, column: 0 };

  constructor(parts: TableViewParts) {
    this.#parts = parts;
    const { result, table, screen } = parts;
    this.#place = { answer: result.answer, table };
    this.#table = result.tables[table] as ViewTable;
    this.#view = result.view.tables[table] as TableViewState;
    this.#rowCount = this.#table.rowCount;
    this.#more = result.more && table === 0;
    this.#find = new FindBar({
      search: (text, options, signal) =>
        channel.request('find', { ...this.#place, text, options, columns: this.#columns }, signal),
      begin: () => {
        this.#searchFrom = this.#activeCell;
      },
      first: async (signal) => {
        const from = this.#searchFrom;
        const after = await this.#match(from, false, signal);
        // What comes before the next match may be the cell itself.
        const before = after && (await this.#match(after, true, signal));
        const isAt = before?.row === from.row && before.column === from.column;
        return this.#goTo(isAt ? before : after);
      },
      next: async (backwards, signal) =>
        this.#goTo(await this.#match(this.#activeCell, backwards, signal)),
      onChange: (find) => {
        this.#view = { ...this.#view, find };
        this.#grid.refresh();
        this.#report();
      },
      onClose: () => this.#grid.focus(),
    });
    this.#strip = new StatusStrip(
      {
        figures: (blocks, signal) => channel.request('figures', { ...this.#place, blocks }, signal),
        onTimeZone: () => {
          this.#sendArrangement();
          channel.send('setTimeZone', { timeZone: screen.timeZone === 'utc' ? 'local' : 'utc' });
        },
        onMore: () => void this.#loadMore(),
      },
      {
        timeZone: screen.timeZone,
        localZone: screen.localZone,
        hasTimes: this.#table.columns.some(({ kind }) => kind === 'time'),
        more: this.#more,
      },
    );
    this.#summaries = new Summaries(
      this.#container,
      this.#table,
      () => this.#grid.columnsInView,
      (column, signal) => this.#summary(column, signal),
    );
    this.#body = element('div', { class: 'body' }, [
      element('div', { class: 'rows' }, [this.#find.element, this.#container, this.#nothing]),
    ]);
    this.element = element('div', { class: 'table-view' }, [
      this.#chips,
      this.#body,
      this.#strip.element,
      this.#said,
    ]);
    this.#nothing.hidden = true;
    // The grid measures its container, so it is made when that is in the page.
    this.#grid = undefined as never;
  }

  /** Draws the grid; the element is in the page by now. */
  start(): void {
    if (this.#table.totalRows === 0) {
      this.element.replaceChildren(noRowsMessage(this.#parts.run, this.#parts.result.hint));
      return;
    }
    this.#draw();
    this.#drawFilters();
    this.#drawLoaded();
    this.#find.restore(this.#view.find);
  }

  /** The table and its arrangement as they are now, to come back to. */
  get state(): { readonly table: ViewTable; readonly view: TableViewState } {
    if (this.isEmpty) return { table: this.#table, view: this.#view };
    const { scroll, selection, active } = this.#grid;
    return {
      table: { ...this.#table, rowCount: this.#rowCount },
      view: { ...this.#view, scroll, selection, ...(active && { active }) },
    };
  }

  get isEmpty(): boolean {
    return this.#grid === undefined;
  }

  focus(): void {
    this.#grid?.focus();
  }

  /** The rows are those of an earlier run. */
  dim(isDimmed: boolean): void {
    this.#container.role = 'group';
    this.#container.ariaDisabled = String(isDimmed);
  }

  /** Whether the service has more rows has turned out; the rows in view stay as they are. */
  offerMore(more: boolean): void {
    this.#more = more && this.#place.table === 0;
    this.#strip.offerMore(this.#more);
    this.#drawLoaded();
  }

  /** The find bar takes the keyboard. */
  find(): void {
    if (!this.isEmpty) this.#find.open();
  }

  chooseColumns(anchor: HTMLElement): void {
    if (this.isEmpty) return;
    chooseColumns(anchor, this.#table, this.#view.columnOrder, this.#view.hidden, (hidden) =>
      this.#arrangeColumns({ hidden }),
    );
  }

  toggleDetail(): void {
    if (this.isEmpty) return;
    if (this.#detail) return this.#closeDetail();
    const { editable } = this.#parts.result;
    const place = this.#place;
    this.#detail = new DetailPane(
      {
        fetch: (row, nested, signal) =>
          channel.request('detail', { ...place, row, nested }, signal),
        onStep: (by) => this.#step(by),
        onFilter: (row, column, path, exclude) =>
          channel.send('filterQuery', { ...place, row, column, path, exclude }),
        onCopy: (row, column, path, what) =>
          channel.send('copyValue', { ...place, row, column, path, what }),
        onLink: (row, column, path) => channel.send('openLink', { ...place, row, column, path }),
        onClose: () => this.#closeDetail(),
      },
      editable,
    );
    this.#body.append(this.#detail.element);
    void this.#detail.show(this.#activeCell);
  }

  toggleWrap(): void {
    if (this.isEmpty) return;
    this.#view = { ...this.#view, wrap: !this.#view.wrap };
    this.#rebuild();
    this.#report();
  }

  /** What a menu at an element is about; makes it the active place. */
  menuAt(target: Element): object | undefined {
    if (this.isEmpty || !this.#container.contains(target)) return undefined;
    const place = this.#grid.menuAt(target);
    if (place === undefined) return undefined;
    const { row, column } = place;
    const shown = column === undefined ? undefined : this.#table.columns[column];
    return {
      aplombResults: row === undefined ? 'header' : column === undefined ? 'row' : 'cell',
      ...(row !== undefined && { aplombRow: row }),
      ...(column !== undefined && {
        aplombColumn: column,
        aplombPinnedColumn: this.#view.pinned.includes(column),
        aplombLink:
          target.closest('.slick-cell')?.querySelector('.link') !== null && row !== undefined,
        aplombKind: shown?.kind ?? '',
      }),
      aplombEditable: this.#parts.result.editable,
      aplombHiddenColumns: this.#view.hidden.length > 0,
      aplombFiltered: this.#view.filters.length > 0,
      aplombSorted: this.#view.order.length > 0,
    };
  }

  act(action: PageAction, { row, column }: MenuPlace): void {
    if (this.isEmpty) return;
    const active = this.#grid.active;
    const at = column ?? active?.column;
    const in_ = row ?? active?.row;
    const copying = copyActions[action];
    if (copying) return void this.#copy(...copying);
    const actions: Partial<Record<PageAction, () => unknown>> = {
      // The key of the view's command has opened it already, and the person may be typing.
      find: () => this.#find.show(),
      findNext: () => this.#find.go(false),
      findPrevious: () => this.#find.go(true),
      clearFilters: () => this.#filter([]),
      clearSort: () => this.#order([]),
      showAllColumns: () => this.#arrangeColumns({ hidden: [] }),
      fitAllColumns: () => {
        for (const shown of this.#columns) this.#grid.fit(shown);
      },
      toggleWrap: () => this.toggleWrap(),
      toggleDetail: () => this.toggleDetail(),
      loadMore: () => this.#loadMore(),
    };
    const run = actions[action];
    if (run) return void run();
    if (at === undefined) return;
    const sorted = (descending: boolean, add: boolean) => {
      const others = add ? this.#view.order.filter((part) => part.column !== at) : [];
      this.#order([...others, { column: at, descending }]);
    };
    const columnActions: Partial<Record<PageAction, () => unknown>> = {
      sortAscending: () => sorted(false, false),
      sortDescending: () => sorted(true, false),
      addSortAscending: () => sorted(false, true),
      addSortDescending: () => sorted(true, true),
      filterColumn: () => this.#openPanel(at, this.#grid.headerOf(at) ?? this.#container),
      pinColumn: () => this.#arrangeColumns({ pinned: [...this.#view.pinned, at] }),
      unpinColumn: () =>
        this.#arrangeColumns({ pinned: this.#view.pinned.filter((other) => other !== at) }),
      hideColumn: () => {
        if (this.#columns.length > 1) this.#arrangeColumns({ hidden: [...this.#view.hidden, at] });
      },
      moveColumnLeft: () => this.#move(at, this.#columns.indexOf(at) - 1),
      moveColumnRight: () => this.#move(at, this.#columns.indexOf(at) + 1),
      fitColumn: () => this.#grid.fit(at),
      copyColumnName: () =>
        channel.send('copyValue', {
          ...this.#place,
          row: in_ ?? 0,
          column: at,
          path: [],
          what: 'path',
        }),
    };
    const runColumn = columnActions[action];
    if (runColumn) return void runColumn();
    if (in_ === undefined) return;
    const cell = { ...this.#place, row: in_, column: at };
    const cellActions: Partial<Record<PageAction, () => unknown>> = {
      openValue: () => channel.send('openValue', cell),
      openLink: () => channel.send('openLink', { ...cell, path: [] }),
      addFilterToQuery: () => channel.send('filterQuery', { ...cell, path: [], exclude: false }),
      excludeFromQuery: () => channel.send('filterQuery', { ...cell, path: [], exclude: true }),
      filterByValue: () => this.#filterByValue(in_, at, false),
      excludeValue: () => this.#filterByValue(in_, at, true),
      copyRow: () => this.#copyBlocks([this.#grid.copyRowBlock(in_)], 'text', true),
    };
    cellActions[action]?.();
  }

  dispose(): void {
    this.#report.flush();
    this.#summaries.dispose();
    this.#strip.dispose();
    this.#detail?.dispose();
    this.#grid?.dispose();
  }

  get #activeCell(): Cell {
    return this.#grid.active ?? { row: 0, column: this.#columns[0] ?? 0 };
  }

  #match({ row, column }: Cell, backwards: boolean, signal: AbortSignal) {
    return channel.request('findNext', { ...this.#place, row, column, backwards }, signal);
  }

  #goTo(found: FoundPlace | null): FoundPlace | null {
    if (found) this.#grid.go(found.row, found.column);
    return found;
  }

  get #columns(): readonly number[] {
    return drawnColumns(this.#view).columns;
  }

  #draw(): void {
    const place = this.#place;
    this.#grid = new ResultGrid(
      this.#container,
      { ...this.#table, rowCount: this.#rowCount },
      () => this.#view,
      {
        nonce: this.#parts.nonce,
        label: this.#parts.result.title || 'Result',
        onWindow: (columns, from, to, signal) =>
          channel.request(
            'window',
            { ...place, columns, from, to, search: this.#view.find.text !== '' },
            signal,
          ),
        onOrder: (order) => this.#order(order),
        onCopy: () => void this.#copySelection(),
        onOpen: (row, column) => channel.send('openValue', { ...place, row, column }),
        onLink: (row, column) => channel.send('openLink', { ...place, row, column, path: [] }),
        onDetail: () => this.toggleDetail(),
        onSelect: () => this.#selected(),
        onScroll: () => {
          this.#report();
          this.#summaries.draw();
        },
        onWidth: (column, width) => {
          const { [String(column)]: _, ...others } = this.#view.widths;
          this.#view = { ...this.#view, widths: { ...others, [column]: width } };
          this.#report();
        },
        onPanel: (column, anchor) => this.#openPanel(column, anchor),
        onMove: (column, to) => this.#move(column, to),
        onHeaders: () => {
          this.#markFilters();
          queueMicrotask(() => this.#summaries.draw());
        },
      },
    );
    this.#markFilters();
    this.#summaries.draw();
    this.#strip.selected(this.#grid.selection);
  }

  #rebuild(): void {
    const focused = this.#container.contains(document.activeElement);
    this.#view = {
      ...this.#view,
      scroll: this.#grid.scroll,
      selection: this.#grid.selection,
      ...(this.#grid.active && { active: this.#grid.active }),
    };
    this.#grid.dispose();
    this.#draw();
    if (focused) this.#grid.focus();
  }

  #arrangeColumns(change: Partial<TableViewState>): void {
    this.#view = { ...this.#view, ...change };
    if (this.#grid.differs(this.#view)) this.#rebuild();
    this.#report();
  }

  /** Moves a column to a place among the drawn ones; past the pinned ones it is pinned or no longer so. */
  #move(column: number, to: number): void {
    const { columns, pinnedCount } = drawnColumns(this.#view);
    const at = Math.max(0, Math.min(to, columns.length - 1));
    const moved = columns.filter((other) => other !== column).toSpliced(at, 0, column);
    const wasPinned = this.#view.pinned.includes(column);
    const others = pinnedCount - (wasPinned ? 1 : 0);
    const isPinned = wasPinned ? at < pinnedCount : at < others;
    const pinned = this.#view.pinned.filter((other) => other !== column);
    const hidden = this.#view.columnOrder.filter((other) => this.#view.hidden.includes(other));
    this.#arrangeColumns({
      columnOrder: [...moved, ...hidden],
      pinned: isPinned ? [...pinned, column] : pinned,
    });
    this.#said.textContent = `${this.#table.columns[column]?.name ?? ''} is column ${at + 1} of ${columns.length}`;
  }

  #order(order: readonly ColumnOrder[]): void {
    void this.#arrange(order, this.#view.filters).catch((error: unknown) => this.#say(error));
  }

  #filter(filters: readonly ColumnFilter[]): void {
    void this.#arrange(this.#view.order, filters).catch((error: unknown) => this.#say(error));
  }

  async #arrange(order: readonly ColumnOrder[], filters: readonly ColumnFilter[]): Promise<void> {
    this.#arranging.abort();
    this.#arranging = new AbortController();
    const before = this.#view;
    this.#view = { ...before, order, filters };
    try {
      const arranged = await channel.request(
        'arrange',
        { ...this.#place, order, filters },
        this.#arranging.signal,
      );
      this.#rowCount = arranged.rowCount;
      this.#grid.rearranged(order, arranged.rowCount);
      this.#drawFilters();
      this.#drawLoaded();
      this.#detail?.forget();
      this.#selected();
      if (before.filters !== filters) this.#summaries.reset();
      this.#find.again();
    } catch (error) {
      if (!isCancelled(error)) {
        this.#view = before;
        this.#grid.rearranged(before.order, this.#rowCount);
      }
      throw error;
    }
  }

  #drawFilters(): void {
    drawChips(this.#chips, this.#table, this.#view.filters, this.#rowCount, {
      onOpen: (column, anchor) => this.#openPanel(column, anchor),
      onFilters: (filters) => this.#filter(filters),
    });
    this.#nothing.hidden = this.#rowCount > 0;
    this.#markFilters();
  }

  #drawLoaded(): void {
    const { order, filters } = this.#view;
    const sorted = order.length > 0;
    const what = filters.length === 0 ? 'Order' : sorted ? 'Order and filters' : 'Filters';
    this.#strip.ofLoadedRows(this.#more && (sorted || filters.length > 0) ? what : '');
  }

  #markFilters(): void {
    for (const place of this.#container.querySelectorAll<HTMLElement>('.header-summary')) {
      const column = Number(place.dataset.column);
      const filtered = this.#view.filters.some((filter) => filter.column === column);
      place.closest('.slick-header-column')?.classList.toggle('filtered', filtered);
    }
  }

  #openPanel(index: number, anchor: HTMLElement): void {
    const column = this.#table.columns[index];
    if (column === undefined) return;
    const own = (filter: ColumnFilter) => filter.column === index;
    new ColumnPanel(
      {
        index,
        column,
        filters: this.#view.filters.filter(own),
        summary: (signal) => this.#summary(index, signal),
        values: (search, signal) =>
          channel.request('values', { ...this.#place, column: index, search }, signal),
        parseTime: (text) => channel.request('parseTime', { text }),
        apply: (filters) =>
          this.#arrange(this.#view.order, [
            ...this.#view.filters.filter((filter) => !own(filter)),
            ...filters,
          ]),
        onClose: () => undefined,
      },
      anchor,
    );
  }

  #summary(column: number, signal: AbortSignal) {
    return channel.request(
      'summary',
      { ...this.#place, column, top: summaryTop, bins: summaryBins },
      signal,
    );
  }

  /** Keeps the rows with the value of a cell, or the others. */
  async #filterByValue(row: number, column: number, negated: boolean): Promise<void> {
    const key: ValueKey = await channel.request('valueKey', { ...this.#place, row, column });
    const others = this.#view.filters.filter(
      (filter) =>
        !(filter.column === column && filter.kind === 'values' && filter.negated === negated),
    );
    const same = this.#view.filters.find(
      (filter) => filter.column === column && filter.kind === 'values' && negated && filter.negated,
    );
    const values = same?.kind === 'values' ? [...same.values, key] : [key];
    this.#filter([...others, { column, kind: 'values', values, ...(negated && { negated }) }]);
  }

  #selected(): void {
    const { selection } = this.#grid;
    this.#strip.selected(selection);
    this.#said.textContent = selectionText(selection);
    const active = this.#grid.active;
    if (active) void this.#detail?.show(active);
    this.#report();
  }

  #step(by: number): void {
    const active = this.#grid.active;
    if (active === undefined) return;
    const row = Math.max(0, Math.min(active.row + by, this.#rowCount - 1));
    const focused = document.activeElement;
    this.#grid.go(row, active.column);
    if (focused instanceof HTMLElement && this.#detail?.element.contains(focused)) focused.focus();
  }

  #closeDetail(): void {
    this.#detail?.dispose();
    this.#detail?.element.remove();
    this.#detail = undefined;
    this.#grid.focus();
  }

  /** With names above when it is more than one cell, since a table without them says little. */
  async #copySelection(): Promise<void> {
    const cells = this.#grid.selection.reduce(
      (sum, { fromRow, toRow, columns }) => sum + (toRow - fromRow) * columns.length,
      0,
    );
    await this.#copy('text', cells > 1);
  }

  #copy(format: CopyFormat, headers: boolean): Promise<void> {
    return this.#copyBlocks(this.#grid.selection, format, headers);
  }

  async #copyBlocks(
    blocks: TableViewState['selection'],
    format: CopyFormat,
    headers: boolean,
  ): Promise<void> {
    if (blocks.length === 0) return;
    try {
      const { rows } = await channel.request('copy', { ...this.#place, blocks, format, headers });
      this.#said.textContent = `Copied ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
    } catch (error) {
      this.#say(error);
    }
  }

  async #loadMore(): Promise<void> {
    // Another screen follows, with the rows arranged as the host knows it.
    this.#sendArrangement();
    this.#strip.loading(true);
    try {
      await channel.request('loadMore', this.#place);
    } catch (error) {
      this.#say(error);
    } finally {
      this.#strip.loading(false);
    }
  }

  #say(error: unknown): void {
    if (isCancelled(error)) return;
    this.#strip.problem(error instanceof Error ? error.message : String(error));
  }

  #sendArrangement(): void {
    if (this.isEmpty) return;
    const { columnOrder, hidden, pinned, widths, find, wrap } = this.#view;
    const { scroll, selection, active } = this.#grid;
    channel.send('arranged', {
      ...this.#place,
      arrangement: {
        columnOrder,
        hidden,
        pinned,
        widths,
        find,
        wrap,
        scroll,
        selection,
        ...(active && { active }),
      },
    });
  }
}

/** What is announced of a selection; a single cell is announced by its focus. */
function selectionText(selection: TableViewState['selection']): string {
  const [block] = selection;
  if (block === undefined) return '';
  const [rows, columns] = [block.toRow - block.fromRow, block.columns.length];
  if (rows === 1 && columns === 1) return '';
  const counted = (count: number, noun: string) =>
    `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
  return `${counted(rows, 'row')} and ${counted(columns, 'column')} selected`;
}
