/** Formats values exactly for the clipboard, formats them with a length limit for the screen, and compares them. */
import type { Cell } from './result.ts';
import { shortened, visibleText } from './visibleText.ts';

/** The length in UTF-16 units beyond which text is cut on the screen, but not on the clipboard. */
const longestShown = 2_000;

/** Returns a value's exact text: empty for null, JSON for dynamic values. */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'object') return jsonText(cell);
  return String(cell);
}

/** Returns JSON with bigint values as digits, because JSON.stringify rejects bigint. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/**
 * Returns the text to show on one line, or null for null. Times have `fractionDigits` digits, so that columns align.
 */
export function shownText(cell: Cell, type: string, fractionDigits = 0): string | null {
  if (cell === null || cell === undefined) return null;
  let text = cellText(cell);
  if (type === 'datetime') text = shownTime(text, fractionDigits);
  return visibleText(shortened(text, longestShown));
}

const time = /^(\d+-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

function shownTime(text: string, fractionDigits: number): string {
  const [, day, clock, fraction = ''] = time.exec(text) ?? [];
  if (day === undefined) return text;
  const digits = fraction.padEnd(fractionDigits, '0');
  return `${day} ${clock}${digits === '' ? '' : `.${digits}`}`;
}

/** Returns the maximum number of fractional-second digits in the column. */
export function fractionDigitsOf(cells: readonly Cell[]): number {
  let most = 0;
  for (const cell of cells) {
    if (typeof cell !== 'string') continue;
    // 19 characters precede the decimal point, and a Z follows the digits. The maximum is nine digits (nanoseconds).
    const digits = cell.length - 21;
    if (digits > most && time.test(cell)) most = digits;
    if (most >= 9) break;
  }
  return most;
}

/** Compares two values of a column. Null follows all other values. */
export function compareCells(left: Cell, right: Cell): number {
  const leftKind = kindOf(left);
  const rightKind = kindOf(right);
  if (leftKind !== rightKind) return leftKind - rightKind;
  if (leftKind === kinds.number) {
    const [a, b] = [left as number | bigint, right as number | bigint];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const [a, b] = [cellText(left), cellText(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const kinds = { number: 0, text: 1, other: 2, null: 3 } as const;

function kindOf(cell: Cell): number {
  if (cell === null || cell === undefined) return kinds.null;
  if (typeof cell === 'number' || typeof cell === 'bigint') return kinds.number;
  return typeof cell === 'string' ? kinds.text : kinds.other;
}
