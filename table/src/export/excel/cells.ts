/** Writes sheet cells as XML. Values that Excel would round or reinterpret become text. */

import type { RowSource } from '../../rowSource.ts';
import { cutText } from '../../visibleText.ts';
import { significantDigits } from '../exactNumbers.ts';
import type { Notices } from '../exportNotices.ts';
import { excelDay, readInstant } from '../timeCells.ts';
import { styles } from './parts.ts';
import { needsSpace, xmlText } from './xml.ts';

/** The maximum cell length in UTF-16 units. */
const maxCellLength = 32_767;

/** Returns a column's letters by its index: `A`, `Z`, `AA`. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}

/** Writes a string cell. Text that is too long for Excel is cut and ends with an ellipsis. */
export function stringCell(reference: string, given: string, notices: Notices, style = ''): string {
  let text = given;
  if (given.length > maxCellLength) {
    text = `${cutText(given, maxCellLength - 1)}…`;
    notices.add('excelCutText');
  }
  const space = needsSpace(text) ? ' xml:space="preserve"' : '';
  return `<c r="${reference}"${style} t="inlineStr"><is><t${space}>${xmlText(text)}</t></is></c>`;
}

/** Returns a function that writes a cell. `dates` marks the time columns that are written as Excel dates. */
export function cellWriter(
  source: RowSource,
  dates: readonly boolean[],
  notices: Notices,
): (row: number, column: number, reference: string) => string {
  return (row, column, reference) => {
    const cell = source.cell(row, column);
    if (cell === null) return '';
    switch (typeof cell) {
      case 'boolean':
        return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
      case 'number':
      case 'bigint': {
        const text = source.text(row, column) ?? '';
        if (isExcelNumber(cell, text)) return `<c r="${reference}"><v>${Number(cell)}</v></c>`;
        notices.add('excelTextNumbers');
        return stringCell(reference, text, notices);
      }
      case 'string': {
        const instant = dates[column] ? readInstant(cell) : undefined;
        const day = instant === undefined ? undefined : excelDay(instant);
        if (day === undefined) return stringCell(reference, cell, notices);
        return `<c r="${reference}" s="${styles.time}"><v>${day}</v></c>`;
      }
      default:
        return stringCell(reference, source.text(row, column) ?? '', notices);
    }
  };
}

/** The maximum number of digits of a whole number that Excel shows, and keeps when the cell is edited. */
const maxWholeDigits = 15;
/** The number of digits that distinguishes any double from all others. */
const maxDigits = 17;
const largest = 9.99999999999999e307;
/** The smallest positive number in Excel, which treats smaller numbers as zero. */
const smallest = 2.2250738585072014e-308;

/** Whether Excel stores the number exactly and shows every digit of integers, which may be identifiers. */
function isExcelNumber(value: number | bigint, text: string): boolean {
  if (/^-?\d+$/.test(text)) return text.replace('-', '').length <= maxWholeDigits && text !== '-0';
  if (typeof value === 'bigint' || !Number.isFinite(value) || Object.is(value, -0)) return false;
  const size = Math.abs(value);
  if (size > largest || (size < smallest && size !== 0)) return false;
  return text.length <= maxDigits || significantDigits(text) <= maxDigits;
}
