/** Handles the keyboard and the mouse in a grid. */
import type { ColumnDrag } from '../columnDrag.ts';
import { listenInHeaders } from '../headerKeys.ts';
import { movesCell, obeyKey } from './cellKeys.ts';
import type { GridParts } from './options.ts';
import { cycleOrder } from './order.ts';
import { fitColumn, widthAt } from './shownColumns.ts';

export function listenInGrid(parts: GridParts, drag: ColumnDrag, signal: AbortSignal): void {
  const { open, grid, columns, selection } = parts;
  grid.onKeyDown.subscribe((event) => {
    const key = event.getNativeEvent<KeyboardEvent>();
    // Keep the browser from scrolling when the active cell is already at the edge.
    if (movesCell(key)) key.preventDefault();
    if (!obeyKey(key, parts)) return;
    key.preventDefault();
    event.stopImmediatePropagation();
  });
  grid.onDblClick.subscribe((_, { row, cell }) => open.openValue(row, columns.at(cell)));
  // Listen in the capture phase, because SlickGrid stops the event's propagation at the cell.
  open.container.addEventListener('click', (event) => openLink(parts, event), {
    capture: true,
    signal,
  });
  grid.onHeaderClick.subscribe((event, { column }) => {
    const index = columns.ofId(column.id);
    if (index === undefined) return selection.selectAll();
    if (drag.justDragged) return;
    cycleOrder(parts, index, event.getNativeEvent<MouseEvent>().shiftKey);
    grid.focus();
  });
  grid.onColumnsResized.subscribe((_, { triggeredByColumn }) => {
    const index = columns.ofId(triggeredByColumn);
    const width = index === undefined ? 0 : widthAt(grid, columns.placeOf(index));
    if (index !== undefined && width > 0) open.setWidth(index, width);
  });
  grid.onColumnsResizeDblClick.subscribe((_, { triggeredByColumn }) => {
    const index = columns.ofId(triggeredByColumn);
    if (index !== undefined) fitColumn(parts, index);
  });
  // Scroll the rows with the headers, which scroll when one outside the view is focused.
  const header = open.container.querySelector('.slick-header-right');
  header?.addEventListener('scroll', () => {
    if (Math.abs(header.scrollLeft - grid.viewport.scrollLeft) > 1)
      grid.scrollToX(header.scrollLeft);
  });
  listenInHeaders(parts);
}

function openLink({ open, grid, columns }: GridParts, event: MouseEvent): void {
  if (!(event.ctrlKey || event.metaKey) || !(event.target instanceof Element)) return;
  if (!event.target.classList.contains('link')) return;
  const place = grid.getCellFromEvent(event);
  const column = columns.at(place?.cell ?? 0);
  if (place !== null && column !== undefined) open.openLink({ row: place.row, column }, []);
}
