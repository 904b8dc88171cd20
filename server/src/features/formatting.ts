/** Formats a document, a selection, or the stage or statement that the user has just finished typing. */
import type { FormattingOptions, Position, Range, TextEdit } from 'vscode-languageserver';
import {
  type FormatOptions,
  format,
  formatRange,
  formatTyped,
} from '../../../language/src/editing.ts';
import { toSpan, toTextEdits } from '../convert.ts';
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
    connection.onDocumentFormatting(
      workspace.answering([], (now, { options }) =>
        documentEdits(now, formatOptions(options, workspace.settings)),
      ),
    );
    connection.onDocumentRangeFormatting(
      workspace.answering([], (now, { range, options }) =>
        rangeEdits(now, range, formatOptions(options, workspace.settings)),
      ),
    );
    connection.onDocumentOnTypeFormatting(
      workspace.answering([], (now, { position, options }) =>
        typedEdits(now, position, formatOptions(options, workspace.settings)),
      ),
    );
  },
};

/** Converts the editor's formatting options. A final line break is added only if the editor requests it. */
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
  range: Range,
  options: FormatOptions,
): TextEdit[] {
  return toTextEdits(lines, formatRange(text, toSpan(lines, range), options));
}

export function typedEdits(
  { text, lines }: Snapshot,
  position: Position,
  options: FormatOptions,
): TextEdit[] {
  return toTextEdits(lines, formatTyped(text, lines.offsetAt(position), options));
}
