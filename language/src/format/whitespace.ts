/** Converts a layout to edits that cover only changed whitespace, so cursors and folded regions stay in place. */
import type { Edit } from '../edits.ts';
import { triviaIn } from '../syntax/trivia.ts';
import type { Layout } from './layout.ts';
import { type FormatOptions, indentation } from './options.ts';
import { lineEnd, type Sheet, spacing } from './sheet.ts';
import { textBetween } from './spacing.ts';

export function editsOf(
  sheet: Sheet,
  layout: Layout,
  lineBreak: string,
  options: FormatOptions,
): Edit[] {
  const { text, tokens, lineEnds } = sheet;
  const edits: Edit[] = [];
  const replace = (start: number, end: number, wanted: string) => {
    const edit = replacement(text, start, end, wanted);
    if (edit !== undefined) edits.push(edit);
  };
  const newLine = (start: number, end: number, level: number, mayBeBlank: boolean) => {
    const blank = mayBeBlank && countLineBreaks(text, start, end) > 1;
    replace(start, end, lineBreak + (blank ? lineBreak : '') + indentation(options, level));
  };
  for (let i = 0; i < tokens.length; i++) {
    if (sheet.spacingOf(i) === spacing.kept) continue;
    const { start, end } = sheet.gap(i);
    const isLast = i === tokens.length - 1;
    const level = isLast ? 0 : (layout.forced[i] as number);
    const opens = i === 0 || opening.has(text.charAt(start - 1));
    const closes = closing.has(text.charAt(end));
    if (lineEnds[i] !== lineEnd.forced) {
      if (layout.levels[i] !== -1) newLine(start, end, level, !opens && !closes);
      else if (!isLast) replace(start, end, textBetween(sheet, i));
      continue;
    }
    let at = start;
    for (const comment of triviaIn(text, { start, end })) {
      if (comment.kind !== 'comment') continue;
      const trails = at === start && i > 0 && countLineBreaks(text, at, comment.start) === 0;
      if (trails) replace(at, comment.start, ' ');
      else if (at > 0 || i > 0) {
        newLine(at, comment.start, closes ? level + 1 : level, at > start || !opens);
      } else replace(0, comment.start, '');
      at = comment.start + text.slice(comment.start, comment.end).trimEnd().length;
    }
    if (!isLast) newLine(at, end, level, !closes);
    else if (countLineBreaks(text, at, end) === 0) replace(at, end, '');
  }
  return edits;
}

/** Returns the smallest edit that replaces a span with `wanted`, or undefined if nothing changes. */
export function replacement(
  text: string,
  start: number,
  end: number,
  wanted: string,
): Edit | undefined {
  const written = text.slice(start, end);
  if (written === wanted) return undefined;
  const shorter = Math.min(written.length, wanted.length);
  let head = 0;
  while (head < shorter && written[head] === wanted[head]) head++;
  let tail = 0;
  while (tail < shorter - head && written.at(-1 - tail) === wanted.at(-1 - tail)) tail++;
  return { start: start + head, end: end - tail, text: wanted.slice(head, wanted.length - tail) };
}

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

export function countLineBreaks(text: string, start: number, end: number): number {
  return text.slice(start, end).match(/\r\n|\n|\r/g)?.length ?? 0;
}
