/**
 * The grid of one table: SlickGrid over windows of rows, with keyboard, sorting, selection and copy.
 * Cells are drawn as text nodes, never as markup.
 */
import {
  type Column,
  SlickCellRangeSelector,
  SlickCellSelectionModel,
  SlickGrid,
  SlickRange,
} from 'slickgrid';
import type { CellRange, RowOrder, ViewCell, ViewColumn, ViewTable } from '../messages.ts';
import { element } from './dom.ts';
import { RowBlocks } from './windows.ts';

const rowHeight = 22;
const headerHeight = 36;
const narrowest = 56;
const widest = 420;
const numberColumn = '#';

export interface GridEvents {
  readonly onWindow: (from: number, to: number) => void;
  readonly onSort: (order: RowOrder | null) => void;
  readonly onCopy: (range: CellRange) => void;
}

/** What SlickGrid asks rows of: it wants items, and gets arrays of cells. */
interface RowSource {
  getLength(): number;
  getItem(row: number): readonly ViewCell[];
}

const pending: readonly ViewCell[] = [];

export class ResultGrid {
  readonly #grid: SlickGrid;
  readonly #blocks: RowBlocks;
  readonly #table: ViewTable;
  readonly #resize: ResizeObserver;
  #sorted: RowOrder | null = null;

  constructor(container: HTMLElement, table: ViewTable, nonce: string, events: GridEvents) {
    this.#table = table;
    this.#blocks = new RowBlocks(table.rowCount, events.onWindow);
    const source: RowSource = {
      getLength: () => table.rowCount,
      getItem: (row) => this.#blocks.row(row) ?? pending,
    };
    container.setAttribute('aria-rowcount', String(table.rowCount + 1));
    container.setAttribute('aria-colcount', String(table.columns.length + 1));
    this.#grid = new SlickGrid(container, source as never, columnsOf(container, table), {
      enableCellNavigation: true,
      enableColumnReorder: false,
      enableTextSelectionOnCells: false,
      multiColumnSort: false,
      tristateMultiColumnSort: false,
      rowHeight,
      headerRowHeight: headerHeight,
      frozenColumn: 0,
      nonce,
      forceFitColumns: false,
      suppressCssChangesOnHiddenInit: true,
      invalidColumnFreezeWidthCallback: () => undefined,
    });
    // Before the selection model, whose own Ctrl+A begins at the row numbers.
    this.#grid.onKeyDown.subscribe((event) => {
      const key = event.getNativeEvent<KeyboardEvent>();
      if (!this.#obeys(key, events)) return;
      key.preventDefault();
      event.stopImmediatePropagation();
    });
    this.#makeOneTabStop(container);
    this.#grid.setSelectionModel(
      new SlickCellSelectionModel({
        selectActiveCell: true,
        cellRangeSelector: new SlickCellRangeSelector({ selectionCss: {} as CSSStyleDeclaration }),
      }),
    );
    this.#grid.onHeaderClick.subscribe((_, { column }) => {
      const index = this.#table.columns.findIndex((_, at) => columnId(at) === column.id);
      if (index < 0) return;
      const again = this.#sorted?.column === index;
      if (again && this.#sorted?.descending) this.#sort(null, events);
      else this.#sort({ column: index, descending: again }, events);
    });
    this.#resize = new ResizeObserver(() => this.#grid.resizeCanvas());
    this.#resize.observe(container);
  }

  /** Draws rows that have arrived. */
  receive(from: number, rows: readonly (readonly ViewCell[])[]): void {
    this.#grid.invalidateRows(this.#blocks.receive(from, rows));
    this.#grid.render();
  }

  /** Draws everything anew in the host's new order. */
  reordered(): void {
    this.#blocks.clear();
    this.#grid.invalidate();
    this.#grid.scrollRowToTop(0);
  }

  /** Takes the keyboard, at the first cell when none is active. */
  focus(): void {
    if (this.#grid.getActiveCell() === null && this.#table.rowCount > 0)
      this.#grid.setActiveCell(0, 1);
    this.#grid.focus();
  }

  dispose(): void {
    this.#resize.disconnect();
    this.#grid.destroy(true);
  }

  /** Does what a key combination stands for; false where it stands for nothing here. */
  #obeys({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, events: GridEvents): boolean {
    const command = ctrlKey || metaKey;
    if (command && key === 'c') this.#copy(events);
    else if (command && key === 'a') this.#selectAll();
    else if (altKey && key === 'ArrowUp') this.#sortActive(false, events);
    else if (altKey && key === 'ArrowDown') this.#sortActive(true, events);
    else return false;
    return true;
  }

  /** Sorts by the active cell's column; the same key again brings back the order in which rows came. */
  #sortActive(descending: boolean, events: GridEvents): void {
    const active = this.#grid.getActiveCell();
    if (active === null) return;
    const column = active.cell - 1;
    const now = this.#sorted;
    const again = now?.column === column && now.descending === descending;
    this.#sort(again ? null : { column, descending }, events);
  }

  #sort(order: RowOrder | null, events: GridEvents): void {
    this.#sorted = order;
    this.#grid.setSortColumns(
      order === null ? [] : [{ columnId: columnId(order.column), sortAsc: !order.descending }],
    );
    events.onSort(order);
  }

  /** The grid comes with a tab stop for each of its panes; one is enough, and it begins at a cell. */
  #makeOneTabStop(container: HTMLElement): void {
    for (const pane of container.querySelectorAll<HTMLElement>('[tabindex="0"]')) {
      pane.tabIndex = -1;
    }
    // Arrows move in the grid and Tab leaves it; the grid's own Tab would go through every cell.
    const leave = (event: KeyboardEvent) => event.key === 'Tab' && event.stopPropagation();
    container.addEventListener('keydown', leave, { capture: true });
    const sink = container.lastElementChild as HTMLElement;
    sink.tabIndex = 0;
    sink.addEventListener('focus', () => {
      if (this.#grid.getActiveCell() === null && this.#table.rowCount > 0) {
        this.#grid.setActiveCell(0, 1);
      }
    });
  }

  #copy(events: GridEvents): void {
    const selection = this.#grid.getSelectionModel()?.getSelectedRanges() as
      | SlickRange[]
      | undefined;
    const active = this.#grid.getActiveCell();
    const range =
      selection?.[0] ??
      (active && {
        fromRow: active.row,
        toRow: active.row,
        fromCell: active.cell,
        toCell: active.cell,
      });
    if (!range) return;
    // The first column holds row numbers, which are not part of the table.
    events.onCopy({
      fromRow: range.fromRow,
      toRow: range.toRow,
      fromColumn: Math.max(0, range.fromCell - 1),
      toColumn: Math.max(0, range.toCell - 1),
    });
  }

  #selectAll(): void {
    const { rowCount, columns } = this.#table;
    if (rowCount === 0) return;
    const model = this.#grid.getSelectionModel() as SlickCellSelectionModel;
    model.setSelectedRanges([new SlickRange(0, 1, rowCount - 1, columns.length)]);
  }
}

function columnId(index: number): string {
  return `c${index}`;
}

function columnsOf(container: HTMLElement, table: ViewTable): Column[] {
  const perCharacter = characterWidth(container);
  const digits = String(table.rowCount).length;
  const numbers: Column = {
    id: numberColumn,
    field: numberColumn,
    name: header('#', ''),
    width: Math.max(36, Math.ceil(digits * perCharacter) + 16),
    minWidth: 28,
    cssClass: 'row-number',
    headerCssClass: 'row-number',
    resizable: false,
    sortable: false,
    focusable: false,
    selectable: false,
    formatter: (row) => element('span', { text: String(row + 1) }),
  };
  return [
    numbers,
    ...table.columns.map(
      (column, index): Column => ({
        id: columnId(index),
        field: columnId(index),
        name: header(column.name, captionOf(column)),
        toolTip: tooltipOf(column),
        width: Math.min(
          widest,
          Math.max(narrowest, Math.ceil(column.characters * perCharacter) + 18),
        ),
        minWidth: 32,
        sortable: true,
        cssClass: column.align,
        headerCssClass: column.align,
        formatter: (_row, _cell, _value, _column, cells: readonly ViewCell[]) =>
          cells === pending ? element('span', { class: 'pending' }) : drawn(cells[index] ?? null),
      }),
    ),
  ];
}

function drawn(cell: ViewCell): HTMLElement {
  return cell === null
    ? element('span', { class: 'null', text: '∅', attributes: { 'aria-label': 'null' } })
    : element('span', { text: cell });
}

function header(name: string, caption: string): HTMLElement {
  return element('span', { class: 'header' }, [
    element('span', { class: 'header-name', text: name }),
    element('span', { class: 'header-type', text: caption }),
  ]);
}

function captionOf(column: ViewColumn): string {
  const type = column.type === 'datetime' ? 'datetime UTC' : column.type;
  return column.unit === undefined ? type : `${type} ${column.unit}`;
}

function tooltipOf(column: ViewColumn): string {
  const lines = [`${column.name}: ${captionOf(column)}`];
  if (column.description !== undefined) lines.push(column.description);
  lines.push('Click to sort, or Alt+Up and Alt+Down in a cell.');
  return lines.join('\n');
}

/** The width of a character in the grid's own font, in pixels. */
function characterWidth(container: HTMLElement): number {
  const probe = element('span', { class: 'measure', text: '0'.repeat(40) });
  container.append(probe);
  const width = probe.getBoundingClientRect().width / 40;
  probe.remove();
  return width > 0 ? width : 7.5;
}
