/** Determines the whitespace between two tokens that stay on one line. */
import { type Sheet, spacing } from './sheet.ts';

const opening = new Set(['(', '[', '{']);
const tightBefore = new Set([')', ']', '}', ',', ';', '.', ':']);

export function textBetween(sheet: Sheet, gap: number): string {
  const { start, end } = sheet.gap(gap);
  switch (sheet.spacingOf(gap)) {
    case spacing.none:
      return '';
    case spacing.blank:
      return ' ';
    case spacing.kept:
      return sheet.text.slice(start, end);
    case spacing.written:
      return start === end ? '' : usual(sheet, gap);
    default:
      return usual(sheet, gap);
  }
}

function usual(sheet: Sheet, gap: number): string {
  const before = sheet.tokens[gap - 1];
  const behind = sheet.token(gap);
  if (before === undefined || behind.kind === 'end') return '';
  const last = sheet.text.slice(before.start, Math.min(before.end, before.start + 3));
  const next = sheet.text.slice(behind.start, Math.min(behind.end, behind.start + 3));
  if (before.kind === 'punctuation' && (opening.has(last) || last === '.')) return '';
  return behind.kind === 'punctuation' && tightBefore.has(next) ? '' : ' ';
}
