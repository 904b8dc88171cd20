/** Aplomb as it is measured: the core, and for what an editor is told the server's own functions. */
import { analyzeQuery, parseQuery, SourceText } from '../../../language/src/index.ts';
import { Documents, type Snapshot } from '../../../server/src/documents.ts';
import { completion } from '../../../server/src/features/completion.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { sourceDocuments } from '../../../server/src/sourceDocument.ts';
import { schema } from './schema.ts';
import type { OpenFile, Service } from './service.ts';

function snapshotOf(text: string): Snapshot {
  const document = { uri: 'file:///query.apl', version: 1, text: new SourceText(text) };
  return new Documents().snapshot(document, schema);
}

function open(text: string): OpenFile {
  const documents = new Documents();
  let document = sourceDocuments.create('file:///queries.apl', 'axiom-apl', 1, text);
  const snapshot = () => documents.snapshot(document, schema);
  return {
    edit(start, end, by) {
      const { text: now, version } = document;
      const range = { start: now.positionAt(start), end: now.positionAt(end) };
      document = sourceDocuments.update(document, [{ range, text: by }], version + 1);
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
