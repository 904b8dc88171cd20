/** A grid's drawn columns, from left to right, and their widths. */
import type { Column } from 'slickgrid';
import type { TableViewState } from '../../../../../table/src/viewState.ts';
import type { ViewColumn } from '../../pageContent.ts';
import type { AccessibleGrid } from '../accessibleGrid.ts';
import {
  columnId,
  digitsOf,
  drawnColumns,
  fittingWidth,
  gridColumns,
  minWidth,
  textMeasure,
} from '../columns.ts';
import type { OpenTable } from '../table/openTable.ts';
import type { GridOptions, GridParts } from './options.ts';

/** The row number for which space is reserved while rows arrive, so that the columns don't move with each digit. */
const arrivingNumber = 999_999;
/** The maximum distance in pixels at which columns outside the view count as in view. */
const nearby = 200;

export class ShownColumns {
  readonly indexes: readonly number[];
  readonly pinnedCount: number;
  readonly #open: OpenTable;
  readonly #onPanel: GridOptions['onPanel'];
  /** All columns of the table, each with the greatest width of its cells so far. */
  #columns: readonly ViewColumn[];
  /** The largest row number, for which space is reserved. */
  #lastNumber: number;

  constructor(open: OpenTable, onPanel: GridOptions['onPanel']) {
    const { columns, pinnedCount } = drawnColumns(open.view);
    this.indexes = columns;
    this.pinnedCount = pinnedCount;
    this.#open = open;
    this.#onPanel = onPanel;
    this.#columns = open.table.columns;
    this.#lastNumber = Math.max(open.lastNumber, open.isArriving ? arrivingNumber : 0);
  }

  /** Returns the column at a grid position, where position 0 has the row numbers. */
  at(place: number): number | undefined {
    return this.indexes[place - 1];
  }

  /** Returns a column's grid position, or 0 if the column isn't drawn. */
  placeOf(column: number): number {
    return this.indexes.indexOf(column) + 1;
  }

  ofId(id: number | string | undefined): number | undefined {
    return this.indexes.find((index) => columnId(index) === id);
  }

  definitions(): Column[] {
    return gridColumns({
      container: this.#open.container,
      table: this.#columns,
      lastNumber: this.#lastNumber,
      columns: this.indexes,
      widths: this.#open.view.widths,
      onPanel: this.#onPanel,
    });
  }

  /** Whether a view state requires a different set of drawn columns. */
  differs(view: TableViewState): boolean {
    const { columns, pinnedCount } = drawnColumns(view);
    return String(columns) !== String(this.indexes) || pinnedCount !== this.pinnedCount;
  }

  /**
   * Widens columns for newly arrived rows, and never narrows them. Returns whether the row numbers or a column that the
   * user hasn't resized became wider.
   */
  grow(): boolean {
    const before = this.#columns.map(({ characters }) => characters);
    const lastNumber = Math.max(this.#lastNumber, this.#open.lastNumber);
    const hasMoreDigits = digitsOf(lastNumber) > digitsOf(this.#lastNumber);
    const { widths } = this.#open.view;
    this.#lastNumber = lastNumber;
    this.#columns = this.#open.table.columns.map((column, index) => ({
      ...column,
      characters: Math.max(column.characters, before[index] ?? 0),
    }));
    return (
      hasMoreDigits ||
      this.#columns.some(
        ({ characters }, index) => widths[index] === undefined && characters > (before[index] ?? 0),
      )
    );
  }

  /** Returns the columns whose headers are in view or close to it. */
  inView(grid: AccessibleGrid): readonly number[] {
    const { leftPx, rightPx } = grid.getViewport();
    let right = 0;
    return this.indexes.filter((_, place) => {
      if (place < this.pinnedCount) return true;
      const left = right;
      right += widthAt(grid, place + 1);
      return right > leftPx - nearby && left < rightPx + nearby;
    });
  }

  /** Returns the width that shows a column's header and drawn cells in full. */
  fittingWidth(column: number): number | undefined {
    const place = this.placeOf(column);
    const found = this.#columns[column];
    if (place === 0 || found === undefined) return undefined;
    const { container } = this.#open;
    const measure = textMeasure(container);
    const cells = container.querySelectorAll(`.slick-cell.l${place} > span`);
    const widths = [...cells].map(
      ({ textContent }) => Math.ceil(measure(textContent ?? '', 'normal')) + 18,
    );
    return Math.max(fittingWidth({ ...found, characters: 1 }, measure), ...widths);
  }
}

export function widthAt(grid: AccessibleGrid, place: number): number {
  return grid.getColumns()[place]?.width ?? 0;
}

/** Redraws columns after the font or the column widths changed. */
export function drawColumns({ open, grid, columns, options }: GridParts): void {
  grid.keepingFocus(() => {
    grid.setColumns(columns.definitions());
    grid.showOrder(open.view.order);
    options.onHeaders();
  });
}

export function resizeColumn(parts: GridParts, column: number, width: number): void {
  parts.open.setWidth(column, Math.max(minWidth, width));
  drawColumns(parts);
}

export function fitColumn(parts: GridParts, column: number): void {
  const width = parts.columns.fittingWidth(column);
  if (width !== undefined) resizeColumn(parts, column, width);
}
