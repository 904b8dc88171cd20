/** Implements documents for the LSP library, whose own documents copy the entire text on every keystroke. */
import type {
  TextDocument,
  TextDocumentContentChangeEvent,
} from 'vscode-languageserver-textdocument';
import { SourceText } from '../../language/src/index.ts';

export const aplId = 'axiom-apl';

export const markdownId = 'markdown';

export interface SourceDocument extends Pick<TextDocument, 'uri' | 'version'> {
  /** The language ID. Absent means APL. */
  readonly languageId?: string;
  readonly text: SourceText;
}

/** Creates and updates documents. Positions outside the text are clamped. */
export const sourceDocuments = {
  create(uri: string, languageId: string, version: number, content: string): SourceDocument {
    return { uri, languageId, version, text: new SourceText(content) };
  },

  update(
    { text: before, ...document }: SourceDocument,
    changes: readonly TextDocumentContentChangeEvent[],
    version: number,
  ): SourceDocument {
    const text = changes.reduce(changed, before);
    return { ...document, version, text };
  },
};

function changed(before: SourceText, change: TextDocumentContentChangeEvent): SourceText {
  if (!('range' in change)) return new SourceText(change.text);
  const start = before.offsetAt(change.range.start);
  const end = before.offsetAt(change.range.end);
  return before.replaced(Math.min(start, end), Math.max(start, end), change.text);
}
