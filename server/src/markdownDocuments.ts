/** Registers language features for Markdown queries, except features that would replace Markdown's own. */
import {
  BulkRegistration,
  type ClientCapabilities,
  CodeLensRequest,
  CompletionRequest,
  type Connection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  HoverRequest,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { completionFeature } from './features/completion.ts';
import { diagnosticsFeature, pullsDiagnostics } from './features/diagnostics.ts';
import { markdownId } from './sourceDocument.ts';

/** Selects only files and untitled documents, because examples in problem pages and comparisons aren't meant to run. */
const documentSelector = ['file', 'untitled'].map((scheme) => ({ language: markdownId, scheme }));

/** Registers the features that support Markdown. A client without dynamic registration gets no features. */
export async function registerMarkdown(
  connection: Connection,
  client: ClientCapabilities,
): Promise<void> {
  const { synchronization, hover, completion, codeLens, diagnostic } = client.textDocument ?? {};
  if (!synchronization?.dynamicRegistration) return;
  const all = BulkRegistration.create();
  all.add(DidOpenTextDocumentNotification.type, { documentSelector });
  all.add(DidCloseTextDocumentNotification.type, { documentSelector });
  all.add(DidChangeTextDocumentNotification.type, {
    documentSelector,
    syncKind: TextDocumentSyncKind.Incremental,
  });
  if (hover?.dynamicRegistration) all.add(HoverRequest.type, { documentSelector });
  if (codeLens?.dynamicRegistration) all.add(CodeLensRequest.type, { documentSelector });
  if (completion?.dynamicRegistration) {
    const options = completionFeature.capabilities.completionProvider;
    all.add(CompletionRequest.type, { documentSelector, ...options });
  }
  if (diagnostic?.dynamicRegistration && pullsDiagnostics(client)) {
    const options = diagnosticsFeature.capabilities.diagnosticProvider;
    all.add(DocumentDiagnosticRequest.type, {
      documentSelector,
      interFileDependencies: false,
      workspaceDiagnostics: false,
      ...options,
    });
  }
  await connection.client.register(all);
}
