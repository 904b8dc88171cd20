/** Offsets of `language` ⇄ positions of the LSP. The only place where one becomes the other. */
import type { Position, Range } from 'vscode-languageserver';
import type { LineTable, Span } from '../../language/src/index.ts';

export function toRange(lines: LineTable, span: Span, base = 0): Range {
  return {
    start: lines.positionAt(base + span.start),
    end: lines.positionAt(base + span.end),
  };
}

export function toOffset(lines: LineTable, position: Position): number {
  return lines.offsetAt(position);
}
