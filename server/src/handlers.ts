/** Lists the server's features, and handles the messages that belong to none of them. */
import {
  type ClientCapabilities,
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { quoteName } from '../../language/src/index.ts';
import type { Feature, Workspace } from './feature.ts';
import { addFilterFeature } from './features/addFilter.ts';
import { cellQueriesFeature } from './features/cellQueries.ts';
import { codeActionsFeature } from './features/codeActions.ts';
import { codeLensFeature } from './features/codeLens.ts';
import { completionFeature } from './features/completion.ts';
import { definitionFeature } from './features/definition.ts';
import { diagnosticsFeature, pullsDiagnostics } from './features/diagnostics.ts';
import { documentLinksFeature } from './features/documentLinks.ts';
import { documentSymbolsFeature } from './features/documentSymbols.ts';
import { foldingFeature } from './features/folding.ts';
import { formattingFeature } from './features/formatting.ts';
import { highlightsFeature } from './features/highlights.ts';
import { hoverFeature } from './features/hover.ts';
import { inlayHintsFeature } from './features/inlayHints.ts';
import { queryAtFeature } from './features/queryAt.ts';
import { referencesFeature } from './features/references.ts';
import { renameFeature } from './features/rename.ts';
import { selectionRangesFeature } from './features/selectionRanges.ts';
import { semanticTokensFeature } from './features/semanticTokens.ts';
import { signatureHelpFeature } from './features/signatureHelp.ts';
import { workspaceSymbolsFeature } from './features/workspaceSymbols.ts';
import { guarded } from './guarded.ts';
import * as protocol from './protocol.ts';
import { aplId } from './sourceDocument.ts';

const features: readonly Feature[] = [
  addFilterFeature,
  cellQueriesFeature,
  codeActionsFeature,
  codeLensFeature,
  completionFeature,
  definitionFeature,
  diagnosticsFeature,
  documentLinksFeature,
  documentSymbolsFeature,
  foldingFeature,
  formattingFeature,
  highlightsFeature,
  hoverFeature,
  inlayHintsFeature,
  queryAtFeature,
  referencesFeature,
  renameFeature,
  selectionRangesFeature,
  semanticTokensFeature,
  signatureHelpFeature,
  workspaceSymbolsFeature,
];

/** Syncs only the APL cells of notebooks. Fenced blocks in Markdown cells are treated as documentation. */
const notebookDocumentSync = {
  notebookSelector: [{ notebook: protocol.notebookType, cells: [{ language: aplId }] }],
};

export function initializeResult(client: ClientCapabilities): InitializeResult {
  const told = features.filter((one) => one !== diagnosticsFeature || pullsDiagnostics(client));
  return {
    capabilities: Object.assign(
      { textDocumentSync: TextDocumentSyncKind.Incremental, notebookDocumentSync },
      ...told.map(({ capabilities }) => capabilities),
    ),
    serverInfo: { name: 'Aplomb' },
  };
}

export function registerHandlers(unguarded: Connection, workspace: Workspace): void {
  const connection = guarded(unguarded);
  for (const feature of features) feature.register(connection, workspace);
  connection.onRequest(protocol.quoteNameRequest, ({ name }: protocol.QuoteNameParams) =>
    quoteName(name),
  );
  connection.onNotification(
    protocol.schemaChangedNotification,
    ({ deployment, datasets }: protocol.SchemaChangedParams) => {
      // Without `datasets`, even the deployment's organization may have changed, so clear all values seen in results.
      if (datasets === undefined) workspace.valuesSeen.clear(deployment);
      workspace.frequentValues.invalidate(deployment, datasets);
      workspace.schemas.invalidate(deployment, datasets);
    },
  );
  connection.onNotification(protocol.valuesSeenNotification, (params: protocol.ValuesSeenParams) =>
    workspace.learn(params),
  );
}
