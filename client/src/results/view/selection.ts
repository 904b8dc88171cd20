/**
 * A grid's selected range. The active cell is the fixed corner. Dragging, Shift+click and Shift with movement keys move
 * the opposite corner.
 */
import type { CellBlock } from '../../../../table/src/viewState.ts';
import type { AccessibleGrid } from './accessibleGrid.ts';

/** A cell's row and column in the grid, where column 0 has the row numbers. */
interface Place {
  readonly row: number;
  readonly cell: number;
}

/** A rectangle of cells: rows in display order, and positions among the drawn columns. All bounds are inclusive. */
interface CellRange {
  readonly fromRow: number;
  readonly toRow: number;
  readonly fromColumn: number;
  readonly toColumn: number;
}

const firstCell = 1;

/** The scroll interval during a drag beyond the edge, and the minimum scroll step in pixels. */
const SCROLL_MS = 50;
const scrollStep = 22;

/** The target of each movement key. `far` is whether Ctrl or Command is pressed. */
const moves: Readonly<
  Record<string, (from: Place, far: boolean, end: Place, page: number) => Place>
> = {
  ArrowUp: ({ row, cell }, far) => ({ row: far ? 0 : row - 1, cell }),
  ArrowDown: ({ row, cell }, far, end) => ({ row: far ? end.row : row + 1, cell }),
  ArrowLeft: ({ row, cell }, far) => ({ row, cell: far ? firstCell : cell - 1 }),
  ArrowRight: ({ row, cell }, far, end) => ({ row, cell: far ? end.cell : cell + 1 }),
  Home: ({ row }, far) => ({ row: far ? 0 : row, cell: firstCell }),
  End: ({ row }, far, end) => ({ row: far ? end.row : row, cell: end.cell }),
  PageUp: ({ row, cell }, _, __, page) => ({ row: row - page, cell }),
  PageDown: ({ row, cell }, _, __, page) => ({ row: row + page, cell }),
};

export class RangeSelection {
  readonly #grid: AccessibleGrid;
  readonly #container: HTMLElement;
  readonly #columnCount: number;
  readonly #onChange: () => void;
  #corners: readonly [anchor: Place, head: Place] | undefined;
  #stopDrag: (() => void) | undefined;

  constructor(
    grid: AccessibleGrid,
    container: HTMLElement,
    columnCount: number,
    signal: AbortSignal,
    onChange: () => void,
  ) {
    this.#grid = grid;
    this.#container = container;
    this.#columnCount = columnCount;
    this.#onChange = onChange;
    grid.onActiveCellChanged.subscribe(() => {
      const active = grid.getActiveCell();
      if (active !== null) this.#set(active, active);
    });
    grid.onClick.subscribe((event) => {
      // Mouse clicks were already handled on mouse down. Clicks of assistive technology have a count of 0.
      if (event.getNativeEvent<MouseEvent>().detail > 0) event.stopImmediatePropagation();
    });
    container.addEventListener('mousedown', (event) => this.#press(event), { signal });
  }

  /** The selected cells, or the active cell if nothing is selected. */
  get range(): CellRange | undefined {
    const active = this.#grid.getActiveCell();
    const [anchor, head] = this.#corners ?? (active === null ? [] : [active, active]);
    if (anchor === undefined || head === undefined) return undefined;
    return {
      fromRow: Math.min(anchor.row, head.row),
      toRow: Math.max(anchor.row, head.row),
      fromColumn: Math.min(anchor.cell, head.cell) - firstCell,
      toColumn: Math.max(anchor.cell, head.cell) - firstCell,
    };
  }

  clear(): void {
    this.#corners = undefined;
  }

  /** Moves the selection along with its rows, or clears it if some of them are gone. */
  shift(by: number): void {
    const moved = this.#corners?.map(({ row, cell }) => ({ row: row + by, cell }));
    const isThere = moved?.every(({ row }) => row >= 0 && row <= this.#end.row);
    this.#corners = isThere ? (moved as unknown as readonly [Place, Place]) : undefined;
  }

  /** Restores a selection from the active cell to the opposite corner. */
  restore(head: Place): void {
    const active = this.#grid.getActiveCell();
    if (active !== null) this.#set(active, head);
  }

  /** Selects entire rows. With `extend`, they start at the active row. */
  selectRow(row: number, extend: boolean): void {
    const anchor = extend ? (this.#corners?.[0].row ?? row) : row;
    this.#grid.activate(anchor, firstCell);
    this.#set({ row: anchor, cell: firstCell }, { row, cell: this.#end.cell });
    this.#grid.focus();
  }

  includes(row: number, cell: number): boolean {
    return this.range !== undefined && isWithin(this.range, row, cell - firstCell);
  }

  selectAll(): void {
    this.#set({ row: 0, cell: firstCell }, this.#end);
  }

  /** Extends the selection if the key moves its opposite corner. Returns false for other keys. */
  extend({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const move = shiftKey && !altKey ? moves[key] : undefined;
    const active = this.#grid.getActiveCell();
    if (move === undefined || active === null) return false;
    const [, head] = this.#corners ?? [active, active];
    const page = Math.max(1, this.#grid.getViewportRowCount() - 1);
    this.#extendTo(move(head, ctrlKey || metaKey, this.#end, page));
    return true;
  }

  paint(): void {
    const range = this.#corners && this.range;
    for (const row of this.#container.querySelectorAll<HTMLElement>('.slick-row')) {
      const index = Number(row.dataset.row);
      for (const cell of row.children) {
        const column = Number(cell.ariaColIndex) - 1 - firstCell;
        if (column < 0) continue;
        const selected = range !== undefined && isWithin(range, index, column);
        cell.classList.toggle('selected', selected);
        cell.ariaSelected = String(selected);
      }
    }
  }

  dispose(): void {
    this.#stopDrag?.();
  }

  get #end(): Place {
    return { row: this.#grid.getDataLength() - 1, cell: this.#columnCount };
  }

  #set(anchor: Place, head: Place): void {
    this.#corners = [anchor, head];
    this.paint();
    this.#onChange();
  }

  #extendTo({ row, cell }: Place): void {
    const active = this.#grid.getActiveCell();
    if (active === null) return;
    const [, now] = this.#corners ?? [active, active];
    const head = {
      row: clamp(row, 0, this.#end.row),
      cell: clamp(cell, firstCell, this.#end.cell),
    };
    this.#grid.scrollCellIntoView(head.row, head.cell, false);
    if (this.#corners?.[0] !== active || head.row !== now.row || head.cell !== now.cell)
      this.#set(active, head);
  }

  #press(event: MouseEvent): void {
    const place = event.button === 0 ? this.#grid.getCellFromEvent(event) : null;
    if (place === null) return;
    if (place.cell < firstCell) {
      event.preventDefault();
      return this.selectRow(place.row, event.shiftKey);
    }
    if (event.shiftKey) {
      // Don't move the focus away from the active cell.
      event.preventDefault();
      this.#grid.focus();
      this.#extendTo(place);
    } else this.#grid.activate(place.row, place.cell);
    this.#drag();
  }

  /** Extends the selection to the cell under the pointer until the button is released. */
  #drag(): void {
    this.#stopDrag?.();
    const { viewport, rowsCanvas, pinnedCanvas } = this.#grid;
    const controller = new AbortController();
    const { signal } = controller;
    let last: MouseEvent | undefined;
    const follow = (): void => {
      if (last === undefined) return;
      const view = viewport.getBoundingClientRect();
      const x = clamp(last.clientX, view.left, view.left + viewport.clientWidth - 1);
      const y = clamp(last.clientY, view.top, view.top + viewport.clientHeight - 1);
      const { left, top } = rowsCanvas.getBoundingClientRect();
      const fixed = pinnedCanvas.getBoundingClientRect();
      const overPinned = last.clientX < view.left && viewport.scrollLeft === 0;
      const at = overPinned ? last.clientX - fixed.left : x - left + fixed.width;
      this.#extendTo(this.#grid.getCellFromPoint(at, y - top));
    };
    const scroll = (): void => {
      if (last === undefined) return;
      const view = viewport.getBoundingClientRect();
      viewport.scrollBy(
        step(last.clientX, view.left, view.left + viewport.clientWidth),
        step(last.clientY, view.top, view.top + viewport.clientHeight),
      );
      follow();
    };
    const timer = setInterval(scroll, SCROLL_MS);
    this.#stopDrag = () => {
      clearInterval(timer);
      controller.abort();
      this.#stopDrag = undefined;
    };
    window.addEventListener(
      'mousemove',
      (event) => {
        if ((event.buttons & 1) === 0) return this.#stopDrag?.();
        last = event;
        follow();
      },
      { signal },
    );
    window.addEventListener('mouseup', () => this.#stopDrag?.(), { signal });
  }
}

function isWithin(range: CellRange, row: number, column: number): boolean {
  const { fromRow, toRow, fromColumn, toColumn } = range;
  return row >= fromRow && row <= toRow && column >= fromColumn && column <= toColumn;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Returns the scroll distance for a pointer outside `[from, to)`. */
function step(at: number, from: number, to: number): number {
  if (at >= from && at < to) return 0;
  const beyond = at < from ? at - from : at - to + 1;
  return Math.sign(beyond) * Math.max(scrollStep, Math.abs(beyond));
}

export function cellsOf(blocks: readonly CellBlock[]): number {
  return blocks.reduce(
    (sum, { fromRow, toRow, columns }) => sum + (toRow - fromRow) * columns.length,
    0,
  );
}
