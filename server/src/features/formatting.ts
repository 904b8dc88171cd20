/** Formats a document, a selection, or the stage or statement whose typing was just finished. */
import type { FormattingOptions, Position, Range, TextEdit } from 'vscode-languageserver';
import {
  type FormatOptions,
  format,
  formatRange,
  formatTyped,
} from '../../../language/src/editing.ts';
import { toOffset, toTextEdits } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import type { Settings } from '../settings.ts';

export const formattingFeature: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '|', moreTriggerCharacter: ['\n'] },
  },
  register(connection, workspace) {
    connection.onDocumentFormatting(({ textDocument, options }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? documentEdits(now, formatOptions(options, workspace.settings)) : [];
    });
    connection.onDocumentRangeFormatting(({ textDocument, range, options }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? rangeEdits(now, range, formatOptions(options, workspace.settings)) : [];
    });
    connection.onDocumentOnTypeFormatting(({ textDocument, position, options }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? typedEdits(now, position, formatOptions(options, workspace.settings)) : [];
    });
  },
};

/** Converts the editor's options. A final line break is added only if the editor asks for one. */
export function formatOptions(
  { tabSize, insertSpaces, insertFinalNewline }: FormattingOptions,
  { formatWidth }: Settings,
): FormatOptions {
  return {
    tabSize: Math.max(1, tabSize),
    insertSpaces,
    width: formatWidth,
    finalNewline: insertFinalNewline === true,
  };
}

export function documentEdits({ text, lines }: Snapshot, options: FormatOptions): TextEdit[] {
  return toTextEdits(lines, format(text, options));
}

export function rangeEdits(
  { text, lines }: Snapshot,
  { start, end }: Range,
  options: FormatOptions,
): TextEdit[] {
  const range = { start: toOffset(lines, start), end: toOffset(lines, end) };
  return toTextEdits(lines, formatRange(text, range, options));
}

/** `position` is directly after the typed character. */
export function typedEdits(
  { text, lines }: Snapshot,
  position: Position,
  options: FormatOptions,
): TextEdit[] {
  return toTextEdits(lines, formatTyped(text, toOffset(lines, position), options));
}
