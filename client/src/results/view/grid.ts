/** The grid of one table: SlickGrid over windows of rows, with keyboard, sorting, selection and copy. */
import type { CellRange, RowOrder, ViewCell, ViewTable } from '../messages.ts';
import { AccessibleGrid } from './accessibleGrid.ts';
import { columnId, columnKey, columnsOf, pending } from './columns.ts';
import { element } from './dom.ts';
import { RangeSelection } from './selection.ts';
import { RowBlocks } from './windows.ts';

const rowHeight = 22;
const headerHeight = 36;
const keys =
  'Arrow keys move. Shift extends the selection. Enter opens the value in an editor. Alt+Up and Alt+Down sort.';

export interface GridOptions {
  readonly nonce: string;
  readonly label: string;
  /** Widths set by hand, by `columnKey`. */
  readonly widths: () => Readonly<Record<string, number>>;
  readonly onWindow: (from: number, to: number) => void;
  readonly onSort: (order: RowOrder | null) => void;
  readonly onCopy: (range: CellRange) => void;
  readonly onOpen: (row: number, column: number) => void;
  readonly onSelect: (range: CellRange) => void;
  readonly onWidth: (key: string, width: number) => void;
}

/** What SlickGrid asks rows of: it wants items, and gets arrays of cells. */
interface RowSource {
  getLength(): number;
  getItem(row: number): readonly ViewCell[];
}

export class ResultGrid {
  readonly #container: HTMLElement;
  readonly #grid: AccessibleGrid;
  readonly #selection: RangeSelection;
  readonly #blocks: RowBlocks;
  readonly #table: ViewTable;
  readonly #options: GridOptions;
  readonly #resize: ResizeObserver;
  #order: RowOrder | null;

  constructor(container: HTMLElement, table: ViewTable, options: GridOptions) {
    this.#container = container;
    this.#table = table;
    this.#options = options;
    this.#order = table.order;
    this.#blocks = new RowBlocks(table.rowCount, options.onWindow);
    const source: RowSource = {
      getLength: () => table.rowCount,
      getItem: (row) => this.#blocks.row(row) ?? pending,
    };
    const columns = columnsOf(container, table, options.widths());
    this.#grid = new AccessibleGrid(container, source as never, columns, {
      enableCellNavigation: true,
      enableColumnReorder: false,
      enableTextSelectionOnCells: false,
      multiColumnSort: false,
      tristateMultiColumnSort: false,
      rowHeight,
      headerRowHeight: headerHeight,
      frozenColumn: 0,
      nonce: options.nonce,
      forceFitColumns: false,
      suppressCssChangesOnHiddenInit: true,
      invalidColumnFreezeWidthCallback: () => undefined,
    });
    this.#grid.setActiveCell(0, 1);
    this.#grid.makeAccessible(container, {
      'aria-label': options.label,
      'aria-description': keys,
      'aria-multiselectable': 'true',
      'aria-rowcount': String(table.rowCount + 1),
      'aria-colcount': String(table.columns.length + 1),
    });
    this.#grid.showOrder(table.order);
    const size = { rowCount: table.rowCount, columnCount: table.columns.length };
    this.#selection = new RangeSelection(this.#grid, container, size, options.onSelect);
    this.#grid.onRendered.subscribe(() => this.#selection.paint());
    this.#grid.onKeyDown.subscribe((event) => {
      const key = event.getNativeEvent<KeyboardEvent>();
      if (!this.#obeys(key)) return;
      key.preventDefault();
      event.stopImmediatePropagation();
    });
    this.#grid.onDblClick.subscribe((_, { row, cell }) => this.#open(row, cell));
    this.#grid.onHeaderClick.subscribe((_, { column }) => {
      const index = this.#table.columns.findIndex((_, at) => columnId(at) === column.id);
      if (index < 0) return;
      const again = this.#order?.column === index;
      if (again && this.#order?.descending) this.#sort(null);
      else this.#sort({ column: index, descending: again });
      this.#grid.focus();
    });
    this.#grid.onColumnsResized.subscribe((_, { triggeredByColumn }) => {
      const resized = this.#grid.getColumns().find(({ id }) => id === triggeredByColumn);
      const column = this.#table.columns.find((_, at) => columnId(at) === triggeredByColumn);
      if (column && resized?.width) options.onWidth(columnKey(column), resized.width);
    });
    const probe = element('span', {
      class: 'measure',
      text: '0',
      attributes: { 'aria-hidden': 'true' },
    });
    container.append(probe);
    let fontWidth = probe.getBoundingClientRect().width;
    this.#resize = new ResizeObserver(() => {
      const { width } = probe.getBoundingClientRect();
      if (width === fontWidth) return this.#redraw(() => this.#grid.resizeCanvas());
      fontWidth = width;
      this.#fitColumns();
    });
    this.#resize.observe(container);
    this.#resize.observe(probe);
  }

  /** Draws rows that have arrived. */
  receive(from: number, rows: readonly (readonly ViewCell[])[]): void {
    this.#redraw(() => {
      this.#grid.invalidateRows(this.#blocks.receive(from, rows));
      this.#grid.render();
    });
  }

  /** Draws everything again in the host's new order, with the active cell in the first row. */
  reordered(order: RowOrder | null): void {
    this.#order = order;
    this.#redraw(() => {
      const column = this.#grid.getActiveCell()?.cell ?? 1;
      this.#grid.showOrder(order);
      this.#blocks.clear();
      this.#grid.invalidate();
      this.#grid.scrollRowToTop(0);
      this.#grid.setActiveCell(0, column);
    });
  }

  /** Takes the keyboard at the active cell. */
  focus(): void {
    this.#grid.focus();
  }

  dispose(): void {
    this.#resize.disconnect();
    this.#selection.dispose();
    this.#grid.destroy(true);
  }

  /** Makes columns as wide as they should be, since the font has changed. */
  #fitColumns(): void {
    this.#redraw(() => {
      this.#grid.setColumns(columnsOf(this.#container, this.#table, this.#options.widths()));
      this.#grid.showOrder(this.#order);
    });
  }

  #redraw(redraw: () => void): void {
    this.#grid.keepingFocus(this.#container, redraw);
  }

  /** Does what a key combination means; false where it means nothing here. */
  #obeys(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const command = ctrlKey || metaKey;
    if (command && key === 'c') this.#copy();
    else if (command && key === 'a') this.#selection.selectAll();
    else if (altKey && key === 'ArrowUp') this.#sortActive(false);
    else if (altKey && key === 'ArrowDown') this.#sortActive(true);
    else if (key === 'Enter' && !command && !altKey && !shiftKey) this.#openActive();
    else return this.#selection.extend(event);
    return true;
  }

  #openActive(): void {
    const active = this.#grid.getActiveCell();
    if (active !== null) this.#open(active.row, active.cell);
  }

  #open(row: number, cell: number): void {
    if (cell > 0) this.#options.onOpen(row, cell - 1);
  }

  /** Sorts by the active cell's column; the same key again brings back the order in which rows came. */
  #sortActive(descending: boolean): void {
    const active = this.#grid.getActiveCell();
    if (active === null) return;
    const column = active.cell - 1;
    const again = this.#order?.column === column && this.#order.descending === descending;
    this.#sort(again ? null : { column, descending });
  }

  /** Shows the order at once, so that a second click within the host's answer counts as a second one. */
  #sort(order: RowOrder | null): void {
    this.#order = order;
    this.#grid.showOrder(order);
    this.#options.onSort(order);
  }

  #copy(): void {
    const { range } = this.#selection;
    if (range) this.#options.onCopy(range);
  }
}
