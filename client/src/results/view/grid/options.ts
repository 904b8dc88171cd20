/** What the grid of a table asks of the page, and reports to it. */
import type { ColumnOrder } from '../../../../../table/src/viewState.ts';
import type { Window } from '../windows.ts';

export interface GridOptions {
  readonly nonce: string;
  readonly label: string;
  /** The grid is as high as its rows, up to this many; absent where its container has a height. */
  readonly maxRows: number | undefined;
  readonly onWindow: (
    columns: readonly number[],
    from: number,
    to: number,
    signal: AbortSignal,
  ) => Promise<Window>;
  readonly onOrder: (order: readonly ColumnOrder[]) => void;
  readonly onCopy: () => void;
  readonly onOpen: (row: number, column: number) => void;
  readonly onLink: (row: number, column: number) => void;
  readonly onDetail: () => void;
  readonly onSelect: () => void;
  readonly onScroll: () => void;
  /** The grid has another width or height. */
  readonly onSize?: () => void;
  /** The rows have another height, so that the grid is to be made again. */
  readonly onRowHeight: () => void;
  readonly onWidth: (column: number, width: number) => void;
  readonly onPanel: (column: number, anchor: HTMLElement) => void;
  /** A column was dragged or moved by keys to another place among the drawn ones. */
  readonly onMove: (column: number, place: number) => void;
  readonly onHeaders: () => void;
}
