/** Converts spans and edits of `language` to those of the LSP, and LSP ranges to spans. */
import type { Range, TextEdit } from 'vscode-languageserver';
import type { Edit, Lines, Span } from '../../language/src/index.ts';

export function toRange(lines: Lines, span: Span, base = 0): Range {
  return { start: lines.positionAt(base + span.start), end: lines.positionAt(base + span.end) };
}

export function toSpan(lines: Lines, { start, end }: Range): Span {
  return { start: lines.offsetAt(start), end: lines.offsetAt(end) };
}

/** Converts edits whose offsets are relative to the document offset `base`. */
export function toTextEdits(lines: Lines, edits: readonly Edit[], base = 0): TextEdit[] {
  return edits.map((edit) => ({ range: toRange(lines, edit, base), newText: edit.text }));
}
