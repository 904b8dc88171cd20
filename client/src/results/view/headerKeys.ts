/** Keyboard control in column headers: navigation, sorting, the column's panel, moving and resizing. */
import type { GridParts } from './grid/options.ts';
import { cycleOrder } from './grid/order.ts';
import { resizeColumn, widthAt } from './grid/shownColumns.ts';

/** The number of pixels by which a key resizes a column. */
const resizeStep = 16;

export function listenInHeaders(parts: GridParts): void {
  for (const row of parts.open.container.querySelectorAll<HTMLElement>('.slick-header'))
    row.addEventListener('keydown', (event) => {
      const { target } = event;
      if (!(target instanceof HTMLElement) || !target.matches('.slick-header-column')) return;
      if (!obeyKey(event, target, parts)) return;
      event.preventDefault();
      event.stopPropagation();
    });
}

function obeyKey(
  { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent,
  header: HTMLElement,
  parts: GridParts,
): boolean {
  const { open, grid, columns, options } = parts;
  /** The header's grid position, where position 0 has the row numbers. */
  const place = Number(header.ariaColIndex) - 1;
  const column = columns.at(place);
  const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  const focus = (at: number) =>
    open.container
      .querySelector<HTMLElement>(`.slick-header-column[aria-colindex="${at + 1}"]`)
      ?.focus();
  if (by !== 0 && altKey) {
    if (column !== undefined) options.onMove(column, place - 1 + by);
    focus(place + by);
  } else if (by !== 0 && (ctrlKey || metaKey)) {
    if (column !== undefined) resizeColumn(parts, column, widthAt(grid, place) + by * resizeStep);
    focus(place);
  } else if (by !== 0) {
    grid.scrollColumnIntoView(place + by);
    focus(place + by);
  } else if (key === 'ArrowDown') {
    grid.setActiveCell(grid.firstRowInView, Math.max(1, place));
    grid.focus();
  } else if (key === 'Enter') cycleOrder(parts, column, shiftKey);
  else if (key === ' ') {
    if (column !== undefined) options.onPanel(column, header);
  } else return false;
  return true;
}
