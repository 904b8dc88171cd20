/** The queries of a Markdown document: the fenced blocks whose language is APL or Kusto. */
import type { Span } from '../../language/src/index.ts';

/** The inside of a fenced block, from the start of its first line to the end of its last. */
export type Fence = Span;

/** The line that opens a block, with its marks and its info string. */
const opening = /^\s*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)$/;
/** The first word of the info string: what is called Kusto is run as APL. */
const language = /^\{?\.?(?:axiom-)?(?:apl|kusto)(?=[\s:,{}?]|$)/i;

/** The blocks of a Markdown text in order. A block that is not closed goes on to the end. Linear in the text. */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { readonly marks: string; readonly hasQueries: boolean } | undefined;
  let start = 0;
  const close = (end: number): void => {
    if (open?.hasQueries) fences.push({ start, end });
    open = undefined;
  };
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const trimmed = line.trim();
    if (open !== undefined) {
      if (isClosing(trimmed, open.marks)) close(Math.max(start, index - 1));
      continue;
    }
    const [, marks, info = ''] = opening.exec(line.trimEnd()) ?? [];
    if (marks === undefined) continue;
    open = { marks, hasQueries: language.test(info) };
    start = index + line.length;
  }
  close(text.length);
  return fences;
}

/** Whether a line has nothing but as many marks as have opened the block, or more. */
function isClosing(line: string, marks: string): boolean {
  return line.startsWith(marks) && line === marks.charAt(0).repeat(line.length);
}
