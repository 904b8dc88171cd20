/**
 * A document as the client has it, for the library's `TextDocuments` to keep. The library's own documents
 * hold their text as one string and copy it at every keystroke.
 */
import type {
  TextDocument,
  TextDocumentContentChangeEvent,
} from 'vscode-languageserver-textdocument';
import { SourceText } from '../../language/src/index.ts';

/** The editor's name of APL. */
export const aplId = 'axiom-apl';

/** The editor's name of Markdown, whose fenced blocks have queries. */
export const markdownId = 'markdown';

export interface SourceDocument extends Pick<TextDocument, 'uri' | 'version'> {
  /** The editor's name of the language; APL where it is absent. */
  readonly languageId?: string;
  readonly text: SourceText;
}

/** Makes documents, and changes them as the client says; positions outside the text are moved into it. */
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
