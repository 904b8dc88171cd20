/** Restores a grid's scroll position, active cell and selection from a view state. */
import type { GridParts } from './options.ts';

export function restorePlace({ open, grid, columns, selection: range }: GridParts): void {
  const { scroll, active, selection } = open.view;
  const last = open.rowCount - 1;
  const scrollDown = () => {
    if (scroll.row > 0 && scroll.row <= last) grid.scrollTo(scroll.row * grid.rowHeight);
    grid.render();
  };
  scrollDown();
  const cell = active === undefined ? 0 : columns.placeOf(active.column);
  if (scroll.toActive && cell > 0) {
    // Draw the cell first: only cells near the view are drawn, and only drawn cells can become active.
    grid.scrollColumnIntoView(cell);
    grid.render();
  }
  if (active !== undefined && cell > 0 && active.row <= last) {
    grid.activate(active.row, cell);
    const [block] = selection;
    const places = (block?.columns ?? []).map((column) => columns.placeOf(column));
    if (block && places.length > 0 && places.every((place) => place > 0))
      range.restore({
        row: Math.min(last, opposite(block.fromRow, block.toRow - 1, active.row)),
        cell: opposite(Math.min(...places), Math.max(...places), cell),
      });
  }
  if (scroll.left > 0) grid.scrollToX(scroll.left);
  scrollDown();
}

/** Returns the end of a span that isn't the anchor. */
function opposite(from: number, to: number, anchor: number): number {
  return anchor === from ? to : from;
}
