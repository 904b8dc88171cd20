/** The columns of the grid: how wide they are, and how headers and cells are drawn. Text is never markup. */
import type { Column } from 'slickgrid';
import type { ViewCell, ViewColumn, ViewTable } from '../messages.ts';
import { element } from './dom.ts';

const narrowest = 56;
const widest = 420;
/** Padding on both sides, and the line between columns. */
const cellEdges = 17;
/** The room of the sort arrow next to a column's name, kept free whether or not the column is sorted. */
const arrow = 14;

export const numberColumn = 'number';

/** Rows that have not arrived yet. */
export const pending: readonly ViewCell[] = [];

export function columnId(index: number): string {
  return `c${index}`;
}

/** What makes a column the same one in another result. */
export function columnKey({ name, caption }: ViewColumn): string {
  return `${name}\n${caption}`;
}

export function columnsOf(
  container: HTMLElement,
  table: ViewTable,
  widths: Readonly<Record<string, number>>,
): Column[] {
  const measure = textMeasure(container);
  const character = measure('0', 'normal');
  const digits = String(table.rowCount).length;
  const numbers: Column = {
    id: numberColumn,
    field: numberColumn,
    name: header('#', ''),
    width: Math.max(36, Math.ceil(digits * character) + cellEdges + 1),
    minWidth: 28,
    cssClass: 'row-number',
    headerCssClass: 'row-number',
    cellAttrs: { role: 'rowheader', 'aria-colindex': '1' },
    headerCellAttrs: { 'aria-label': 'Row', 'aria-colindex': '1' },
    resizable: false,
    sortable: false,
    focusable: false,
    selectable: false,
    formatter: (row) => element('span', { text: String(row + 1) }),
  };
  const own = (column: ViewColumn) =>
    Math.max(
      Math.ceil(column.characters * character),
      Math.ceil(measure(column.name, 'bold')) + arrow,
      Math.ceil(measure(column.caption, 'normal')),
    ) +
    cellEdges +
    1;
  return [
    numbers,
    ...table.columns.map((column, index): Column => {
      const position = { 'aria-colindex': String(index + 2) };
      return {
        id: columnId(index),
        field: columnId(index),
        name: header(column.name, column.caption),
        toolTip: tooltipOf(column),
        width: widths[columnKey(column)] ?? Math.min(widest, Math.max(narrowest, own(column))),
        minWidth: 32,
        sortable: true,
        cssClass: column.align,
        headerCssClass: column.align,
        cellAttrs: position,
        headerCellAttrs: position,
        formatter: (_row, _cell, _value, _column, cells: readonly ViewCell[]) =>
          cells === pending ? element('span', { class: 'pending' }) : drawn(cells[index] ?? null),
      };
    }),
  ];
}

function drawn(cell: ViewCell): HTMLElement {
  return cell === null
    ? element('span', {
        class: 'null',
        text: '∅',
        attributes: { role: 'img', 'aria-label': 'null' },
      })
    : element('span', { text: cell });
}

function header(name: string, caption: string): HTMLElement {
  return element('span', { class: 'header' }, [
    element('span', { class: 'header-name', text: name }),
    element('span', { class: 'header-type', text: caption }),
  ]);
}

function tooltipOf(column: ViewColumn): string {
  const lines = [`${column.name}: ${column.caption}`];
  if (column.description !== undefined) lines.push(column.description);
  lines.push('Click to sort, or press Alt+Up or Alt+Down in a cell');
  return lines.join('\n');
}

/** Measures text in the grid's own font, in pixels. */
function textMeasure(container: HTMLElement): (text: string, weight: string) => number {
  const { fontSize, fontFamily } = getComputedStyle(container);
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  return (text, weight) => {
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    return context.measureText(text).width;
  };
}
