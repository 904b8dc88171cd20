/** Starts the language server. This is the only file that owns a connection. */
import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  createConnection,
  DidChangeConfigurationNotification,
  type NotebookDocument,
  NotebookDocuments,
  ProposedFeatures,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { QueryAnalysis } from '../../language/src/index.ts';
import type { CellScope } from './cells.ts';
import { DeploymentSchemas } from './deploymentSchemas.ts';
import { Documents } from './documents.ts';
import { Workspace } from './feature.ts';
import { diagnostics, pullsDiagnostics } from './features/diagnostics.ts';
import { datasetNames } from './fieldsNeeded.ts';
import { initializeResult, registerHandlers } from './handlers.ts';
import { registerMarkdown } from './markdownDocuments.ts';
import * as protocol from './protocol.ts';
import { defaultSettings, settingKeys, settingRows, settingsFrom } from './settings.ts';
import { sourceDocuments } from './sourceDocument.ts';

const connection = createConnection(ProposedFeatures.all);
const open = new TextDocuments(sourceDocuments);
const schemas = new DeploymentSchemas(
  {
    datasets: (deployment) => {
      const params: protocol.DatasetsParams = { ...(deployment !== undefined && { deployment }) };
      return connection.sendRequest(protocol.datasetsRequest, params);
    },
    fields: (dataset, deployment) => {
      const named = deployment !== undefined && { deployment };
      const params: protocol.FieldsParams = { dataset, ...named };
      return connection.sendRequest(protocol.fieldsRequest, params);
    },
  },
  refreshSoon,
);

const workspace = new Workspace(open, new Documents(), schemas, defaultSettings);
/** Maps cells to notebooks. The cells' contents are in `open`, like ordinary documents. */
const notebooks = new NotebookDocuments(open);
workspace.cellsAround = (uri) =>
  notebooks.findNotebookDocumentForCell(uri)?.cells.map(({ document }) => document);
workspace.deploymentOfCell = (uri) => {
  const cell = notebooks.getNotebookCell(uri);
  const notebook = cell && notebooks.findNotebookDocumentForCell(cell);
  return deploymentIn(cell?.metadata) ?? deploymentIn(notebook?.metadata);
};

function deploymentIn(metadata: object | undefined): string | undefined {
  const { deployment } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return typeof deployment === 'string' ? deployment : undefined;
}

/** By notebook URI, the scopes and deployments of its cells when the notebook last changed. */
const cellsSeen = new Map<string, readonly (CellScope | string | undefined)[]>();

/** Refreshes all open documents if a cell's deployment, or a `let` statement above a cell, has changed. */
function lookAtCells(notebook: NotebookDocument): void {
  const seen = notebook.cells.flatMap(({ document }) => [
    workspace.snapshot(document)?.scope,
    workspace.deploymentOf(document),
  ]);
  const before = cellsSeen.get(notebook.uri);
  cellsSeen.set(notebook.uri, seen);
  const isSame = before?.length === seen.length && before.every((one, i) => one === seen[i]);
  if (!isSame) refreshSoon();
}

/** Debounces schema changes, because the fields of many datasets arrive one after another. */
const schemaSettlesMs = 50;
let refreshing: NodeJS.Timeout | undefined;

function refreshSoon(): void {
  clearTimeout(refreshing);
  refreshing = setTimeout(refresh, schemaSettlesMs);
}

function refresh(): void {
  for (const document of open.all()) schedule(document.uri);
  // If the client refuses a refresh, do nothing. An unhandled rejection would end the process.
  const ignore = (): void => undefined;
  if (pulls) connection.languages.diagnostics.refresh().catch(ignore);
  if (client.semanticTokens?.refreshSupport)
    connection.languages.semanticTokens.refresh().catch(ignore);
  if (client.codeLens?.refreshSupport)
    connection.sendRequest(CodeLensRefreshRequest.type).catch(ignore);
  if (client.inlayHint?.refreshSupport) connection.languages.inlayHint.refresh().catch(ignore);
}

let client: NonNullable<ClientCapabilities['workspace']> = {};
/** Whether the client pulls diagnostics, so that the server doesn't push them. */
let pulls = false;

async function readSettings(): Promise<void> {
  const items = settingKeys.map((key) => ({ section: `aplomb.${settingRows[key].name}` }));
  workspace.settings = settingsFrom(await connection.workspace.getConfiguration(items));
  refresh();
}

/** Resolves once the settings are known. Value requests wait for it, because a setting can disable them. */
let settingsRead: Promise<void> = Promise.resolve();

workspace.requestFieldValues = async (params) => {
  await settingsRead;
  if (!workspace.settings.valuesFromDeployment) return null;
  return connection.sendRequest<protocol.FieldValuesResult | null>(
    protocol.fieldValuesRequest,
    params,
  );
};

/** The URIs of changed documents, handled together in the next turn of the event loop. */
const due = new Set<string>();

function schedule(uri: string): void {
  if (due.size === 0) setImmediate(lookAtDue);
  due.add(uri);
}

/** Analyses whose schema has been requested. After an invalidation, new analyses request the schema again. */
const looked = new WeakSet<QueryAnalysis>();

/** Requests the dataset fields that changed documents need. Pushes diagnostics to clients that don't pull them. */
function lookAtDue(): void {
  const uris = [...due];
  due.clear();
  for (const uri of uris) {
    const snapshot = workspace.snapshot(uri);
    if (snapshot === undefined) continue;
    if (!pulls) {
      void connection.sendDiagnostics({
        uri,
        version: snapshot.version,
        diagnostics: diagnostics(snapshot),
      });
    }
    const known = workspace.schemasOf(uri);
    void known.ensureDatasets();
    for (const { analysis } of snapshot.queries) {
      if (looked.has(analysis)) continue;
      looked.add(analysis);
      for (const name of datasetNames(analysis.bound.references)) void known.ensureFields(name);
    }
  }
}

connection.onInitialize(({ capabilities, initializationOptions }) => {
  schemas.active = (initializationOptions as protocol.StartOptions | undefined)?.deployment;
  client = capabilities.workspace ?? {};
  workspace.client = capabilities;
  pulls = pullsDiagnostics(capabilities);
  return initializeResult(capabilities);
});
connection.onInitialized(async () => {
  registerMarkdown(connection, workspace.client).catch(() => undefined);
  if (!client.configuration) return;
  settingsRead = readSettings();
  await settingsRead;
  if (client.didChangeConfiguration?.dynamicRegistration)
    await connection.client.register(DidChangeConfigurationNotification.type, {
      section: 'aplomb',
    });
});
connection.onDidChangeConfiguration(async () => {
  if (!client.configuration) return;
  settingsRead = readSettings();
  await settingsRead;
});
registerHandlers(connection, workspace);
connection.onNotification(
  protocol.activeDeploymentNotification,
  ({ deployment }: protocol.ActiveDeploymentParams) => {
    if (deployment === schemas.active) return;
    schemas.active = deployment;
    refreshSoon();
  },
);
open.onDidChangeContent(({ document }) => schedule(document.uri));
open.onDidClose(({ document }) => {
  workspace.forget(document.uri);
  if (!pulls) void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
});
notebooks.onDidOpen((notebook) => {
  for (const { document } of notebook.cells) schedule(document);
});
notebooks.onDidChange(({ notebookDocument }) => lookAtCells(notebookDocument));
notebooks.onDidClose(({ uri }) => cellsSeen.delete(uri));
open.listen(connection);
notebooks.listen(connection);
connection.listen();
// Exit when the channel closes, because the library exits only when the client's process has ended.
process.once('disconnect', () => process.exit());
