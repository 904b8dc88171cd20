/**
 * Marked text for the server's tests: `$0` is the cursor, and results are formatted for reading.
 */
import {
  type CompletionItem,
  type Diagnostic,
  InsertTextFormat,
  type Range,
} from 'vscode-languageserver';
import { LineTable, type Schema, SourceText } from '../../language/src/index.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import { withoutPlaces } from '../../server/src/features/completionResolve.ts';

export const schema: Schema = {
  complete: true,
  datasets: [
    {
      name: 'http-logs',
      kind: 'dataset',
      complete: true,
      fields: [
        { name: '_sysTime', type: 'datetime' },
        { name: '_time', type: 'datetime' },
        { name: 'status', type: 'integer' },
        { name: 'method', type: 'string' },
        { name: 'duration', type: 'float', unit: 'ms', description: 'Time to the last byte.' },
        { name: 'geo.city', type: 'string' },
        { name: 'code', type: 'integer|string' },
      ],
    },
    { name: 'traces', kind: 'view', complete: true, fields: [{ name: 'span', type: 'string' }] },
  ],
};

/** Returns the text without its mark, and the mark's offset. */
export function cursor(marked: string): { text: string; offset: number } {
  const offset = marked.indexOf('$0');
  if (offset < 0) throw new Error('the text has no $0');
  return { text: marked.slice(0, offset) + marked.slice(offset + 2), offset };
}

export function snapshotOf(text: string, known: Schema = schema): Snapshot {
  const document = { uri: 'file:///query.apl', version: 1, text: new SourceText(text) };
  return new Documents().snapshot(document, known);
}

export function textAt(text: string, range: Range): string {
  const lines = new LineTable(text);
  return text.slice(lines.offsetAt(range.start), lines.offsetAt(range.end));
}

/** Formats a diagnostic as `code "text"`. */
export function shownDiagnostic(text: string, diagnostic: Diagnostic): string {
  return `${diagnostic.code} "${textAt(text, diagnostic.range)}"`;
}

/** Returns the text after an item is accepted, without its snippet placeholders. */
export function applied(text: string, chosen: CompletionItem): string {
  const edit = chosen.textEdit;
  if (edit === undefined || !('range' in edit)) throw new Error('the item has no edit');
  const lines = new LineTable(text);
  const isSnippet = chosen.insertTextFormat === InsertTextFormat.Snippet;
  const plain = isSnippet ? withoutPlaces(edit.newText) : edit.newText;
  return (
    text.slice(0, lines.offsetAt(edit.range.start)) +
    plain +
    text.slice(lines.offsetAt(edit.range.end))
  );
}
