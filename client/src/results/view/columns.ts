/** The grid's columns: their widths, headers and cells. Text is never interpreted as markup. */
import type { Column } from 'slickgrid';
import { decimalsOf, roundedNumber } from '../../../../table/src/numberText.ts';
import type { TableViewState } from '../../../../table/src/viewState.ts';
import { visibleLines, visibleText } from '../../../../table/src/visibleText.ts';
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import { withUnit } from '../../webview/page/units.ts';
import type { ViewColumn } from '../pageContent.ts';
import type { DrawnRow } from './windows.ts';

/** Sample text for measuring the width of a header's short summary. */
const shortSummary = '10 distinct';
const summaryScale = 0.85;
const widest = 420;
export const minWidth = 32;
/** The width in pixels of a cell's horizontal padding and the line between columns. */
const cellEdges = 17;
/** The width in pixels reserved for the sort arrow and its rank. */
const arrow = 18;
const gap = 6;

const numberColumn = 'number';

/** A placeholder for rows that have not arrived. */
export const pending: DrawnRow = { number: -1, cells: [], found: undefined };

export function columnId(index: number): string {
  return `c${index}`;
}

/** Returns the drawn columns from left to right: pinned ones first, hidden ones omitted. */
export function drawnColumns({ columnOrder, hidden, pinned }: TableViewState): {
  readonly columns: readonly number[];
  readonly pinnedCount: number;
} {
  const shown = columnOrder.filter((index) => !hidden.includes(index));
  const first = shown.filter((index) => pinned.includes(index));
  const rest = shown.filter((index) => !pinned.includes(index));
  // Leave at least one column unpinned, so that the grid has a part that scrolls.
  if (rest.length === 0) return { columns: first, pinnedCount: Math.max(0, first.length - 1) };
  return { columns: [...first, ...rest], pinnedCount: first.length };
}

interface ColumnParts {
  readonly container: HTMLElement;
  readonly table: readonly ViewColumn[];
  /** The largest row number, for which space is reserved. */
  readonly lastNumber: number;
  readonly columns: readonly number[];
  readonly widths: Readonly<Record<string, number>>;
  readonly onPanel: (column: number, anchor: HTMLElement) => void;
}

export function digitsOf(lastNumber: number): number {
  return String(Math.max(lastNumber, 1)).length;
}

export function gridColumns(parts: ColumnParts): Column[] {
  const { container, table, lastNumber, columns, widths } = parts;
  const measure = textMeasure(container);
  const digits = digitsOf(lastNumber);
  const numbers: Column = {
    id: numberColumn,
    field: numberColumn,
    name: element('span', { class: 'header stack' }, [
      element('span', { class: 'header-name cut', text: '#' }),
    ]),
    width: Math.max(36, Math.ceil(digits * measure('0', 'normal')) + cellEdges + 1),
    minWidth: 28,
    cssClass: 'row-number',
    headerCssClass: 'row-number',
    cellAttrs: { role: 'rowheader', 'aria-colindex': '1' },
    headerCellAttrs: { 'aria-label': 'Row', 'aria-colindex': '1' },
    resizable: false,
    sortable: false,
    focusable: false,
    selectable: false,
    formatter: (_row, _cell, _value, _column, drawn: DrawnRow) =>
      element('span', { text: drawn === pending ? '' : String(drawn.number + 1) }),
  };
  return [
    numbers,
    ...columns.map((index, place): Column => {
      const column = table[index] as ViewColumn;
      const position = { 'aria-colindex': String(place + 2) };
      const align = column.kind === 'number' ? 'right' : 'left';
      return {
        id: columnId(index),
        field: columnId(index),
        name: header(column, index, parts),
        toolTip: tooltipOf(column),
        width: widths[index] ?? fittingWidth(column, measure),
        minWidth,
        sortable: true,
        cssClass: align,
        headerCssClass: align,
        cellAttrs: position,
        headerCellAttrs: {
          ...position,
          'aria-label': visibleText(`${column.name}, ${captionOf(column)}`),
        },
        formatter: (_row, _cell, _value, _column, row: DrawnRow) =>
          row === pending
            ? element('span', { class: 'pending' })
            : drawnCell(column, row.cells[place] ?? null, row.found?.has(place) ?? false),
      };
    }),
  ];
}

/** Returns the width that shows a column's first cells and header in full, up to a maximum. */
export function fittingWidth(
  column: ViewColumn,
  measure: (text: string, weight: string) => number,
): number {
  const width = (text: string, weight: string) => Math.ceil(measure(visibleText(text), weight));
  const unit = column.unit === undefined ? 0 : width(column.unit, 'normal') + gap;
  const name = width(column.name, 'bold') + unit + arrow;
  const cells = Math.ceil(column.characters * measure('0', 'normal'));
  const summary = Math.ceil(summaryScale * measure(shortSummary, 'normal'));
  return Math.min(widest, Math.max(cells, name, summary) + cellEdges + 1);
}

function drawnCell(column: ViewColumn, cell: string | null, found: boolean): HTMLElement {
  const mark = found ? ' found' : '';
  if (cell === null) {
    return element('span', { class: `null${mark}`, text: '∅', role: 'img', label: 'null' });
  }
  if (column.kind === 'number' && column.unit !== undefined) {
    const text = withUnit(cell, column.unit);
    if (text !== undefined)
      return element('span', { class: `scaled${mark}`, text, title: `${cell} ${column.unit}` });
  }
  if (column.kind === 'number') return numberCell(cell, column.decimals ?? 0, mark);
  const link = /^https?:\/\/[^\s]+$/i.test(cell) ? 'link' : '';
  return element('span', { class: `${link}${mark}`, text: cell });
}

/**
 * Draws a number, with fractions rounded to 15 digits, so that the column's decimal points align. The tooltip has all
 * digits.
 */
function numberCell(cell: string, decimals: number, mark: string): HTMLElement {
  const text = roundedNumber(cell);
  const missing = decimals - decimalsOf(text);
  const made = element('span', { class: mark, text, title: text === cell ? undefined : cell });
  // Pad with the missing decimal point as well, because it isn't as wide as a digit.
  if (missing > 0 && /^-?[\d.]+$/.test(text))
    made.dataset.room = `${missing === decimals ? '.' : ''}${'0'.repeat(missing)}`;
  return made;
}

function header(column: ViewColumn, index: number, { onPanel }: ColumnParts): HTMLElement {
  const panel = button(
    {
      class: 'header-filter quiet',
      label: `Summary and filters of ${column.name}`,
      tabIndex: -1,
      onClick: (event) => {
        // Stop the click from reaching the header, which would sort.
        event.stopPropagation();
        const cell = (event.currentTarget as HTMLElement).closest('.slick-header-column');
        if (cell instanceof HTMLElement) onPanel(index, cell);
      },
    },
    [icon('filter')],
  );
  return element('span', { class: 'header stack' }, [
    element('span', { class: 'header-line flow' }, [
      element('span', { class: 'header-name cut', text: column.name }),
      element('span', { class: 'header-unit cut dim', text: column.unit ?? '' }),
      element('span', { class: 'header-type cut dim', text: column.type }),
      element('span', { class: 'sort-rank dim', attributes: { 'aria-hidden': 'true' } }),
    ]),
    element('span', { class: 'header-summary dim', attributes: { 'data-column': String(index) } }),
    panel,
  ]);
}

export function captionOf({ type, unit }: ViewColumn): string {
  return unit === undefined ? type : `${type}, ${unit}`;
}

function tooltipOf(column: ViewColumn): string {
  const lines = [visibleText(`${column.name}: ${captionOf(column)}`)];
  if (column.description !== undefined) lines.push(visibleLines(column.description));
  lines.push('Click to sort, Shift+click to sort by several columns');
  return lines.join('\n');
}

/** Returns a function that measures text in the grid's own font, in pixels. */
export function textMeasure(container: HTMLElement): (text: string, weight: string) => number {
  const { fontSize, fontFamily } = getComputedStyle(container);
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  return (text, weight) => {
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    return context.measureText(text).width;
  };
}

const severities: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:f|fatal|critical|crit|emerg|emergency|alert|panic)$/i, 'fatal'],
  [/^(?:e|err|error|severe)$/i, 'error'],
  [/^(?:w|warn|warning)$/i, 'warning'],
  [/^(?:i|info|information|informational|notice)$/i, 'info'],
  [/^(?:d|debug|t|trace|verbose|fine)$/i, 'debug'],
];

/** Returns the class of the severity bar at the start of a row. */
export function severityClass(text: string | null | undefined): string | undefined {
  const found = severities.find(([pattern]) => pattern.test(text ?? ''));
  return found && `severity-${found[1]}`;
}
