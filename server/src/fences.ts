/** Finds the fenced code blocks of a Markdown document that contain APL or Kusto. */
import type { Span } from '../../language/src/index.ts';

/** A fenced block's content, from the start of its first line to the end of its last line. */
export type Fence = Span;

/** Matches the line that opens a block: its fence and its info string. */
const opening = /^\s*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)$/;
/** Matches an info string whose first word is APL or Kusto. Kusto blocks are treated as APL. */
const language = /^\{?\.?(?:axiom-)?(?:apl|kusto)(?=[\s:,{}?]|$)/i;

/** Finds the blocks in linear time. An unclosed block continues to the end of the document. */
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

/** Returns whether a line is a closing fence, which must be at least as long as the opening fence. */
function isClosing(line: string, marks: string): boolean {
  return line.startsWith(marks) && line === marks.charAt(0).repeat(line.length);
}
