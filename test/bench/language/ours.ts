/** Aplomb as it is measured: the core, and for what an editor is told the server's own functions. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { analyzeQuery, parseQuery } from '../../../language/src/index.ts';
import { Documents, type Snapshot } from '../../../server/src/documents.ts';
import { completion } from '../../../server/src/features/completion.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { schema } from './schema.ts';
import type { OpenFile, Service } from './service.ts';

function snapshotOf(text: string): Snapshot {
  const document = { uri: 'file:///query.apl', version: 1, getText: () => text };
  return new Documents().snapshot(document, schema);
}

function open(text: string): OpenFile {
  const documents = new Documents();
  const document = TextDocument.create('file:///queries.apl', 'axiom-apl', 1, text);
  const snapshot = () => documents.snapshot(document, schema);
  return {
    edit(start, end, by) {
      const range = { start: document.positionAt(start), end: document.positionAt(end) };
      TextDocument.update(document, [{ range, text: by }], document.version + 1);
    },
    diagnose: () => diagnostics(snapshot()).length,
    complete: (offset) => completion(snapshot(), offset).items.length,
  };
}

export const ours: Service = {
  parse(text) {
    parseQuery(text);
  },
  analyze(text) {
    analyzeQuery(text, schema);
  },
  diagnose: (text) => diagnostics(snapshotOf(text)).length,
  complete: (text, offset) => completion(snapshotOf(text), offset).items.length,
  analyzed(text) {
    const snapshot = snapshotOf(text);
    return (offset) => completion(snapshot, offset).items.length;
  },
  open,
};
