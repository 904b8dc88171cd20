/** The language server's process: the only file that owns a connection. */
import { createConnection, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Documents } from './documents.ts';
import { diagnostics } from './features/diagnostics.ts';
import { datasetNames, initializeResult, registerHandlers } from './handlers.ts';
import * as protocol from './protocol.ts';
import { SchemaStore } from './schemas.ts';

const connection = createConnection(ProposedFeatures.all);
const open = new TextDocuments(TextDocument);
const documents = new Documents();
const schemas = new SchemaStore(
  {
    datasets: () => connection.sendRequest(protocol.datasetsRequest),
    fields: (dataset) => connection.sendRequest(protocol.fieldsRequest, { dataset }),
  },
  () => {
    clearTimeout(refreshing);
    refreshing = setTimeout(refresh, schemaSettlesMs);
  },
);

/** The fields of many datasets arrive one after another; what is open is analysed anew once for all. */
const schemaSettlesMs = 50;
let refreshing: NodeJS.Timeout | undefined;

function refresh(): void {
  for (const document of open.all()) schedule(document.uri);
  // A refusal is nothing to act on, and left alone it would end the process.
  if (refreshesTokens) connection.languages.semanticTokens.refresh().catch(() => undefined);
}

/** Whether the client asks for semantic tokens again when it is told to. */
let refreshesTokens = false;

/** Documents whose diagnostics are due; one edit after another is answered once. */
const due = new Set<string>();

function schedule(uri: string): void {
  if (due.size === 0) setImmediate(publishDue);
  due.add(uri);
}

function publishDue(): void {
  const uris = [...due];
  due.clear();
  for (const uri of uris) {
    const document = open.get(uri);
    if (document === undefined) continue;
    const snapshot = documents.snapshot(document, schemas.schema);
    void connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: diagnostics(snapshot),
    });
    void schemas.ensureDatasets();
    for (const query of snapshot.queries)
      for (const name of datasetNames(query.analysis.bound.references))
        void schemas.ensureFields(name);
  }
}

connection.onInitialize(({ capabilities }) => {
  refreshesTokens = capabilities.workspace?.semanticTokens?.refreshSupport === true;
  return initializeResult;
});
registerHandlers(connection, { open, documents, schemas });
open.onDidChangeContent(({ document }) => schedule(document.uri));
open.onDidClose(({ document }) => {
  documents.forget(document.uri);
  void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
});
open.listen(connection);
connection.listen();
// Without its channel the server serves nobody; the library ends it only when the client's process has.
process.once('disconnect', () => process.exit());
