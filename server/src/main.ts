/** The language server's process: the only file that owns a connection. */
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
      const params: protocol.FieldsParams = {
        dataset,
        ...(deployment !== undefined && { deployment }),
      };
      return connection.sendRequest(protocol.fieldsRequest, params);
    },
  },
  refreshSoon,
);

const workspace = new Workspace(open, new Documents(), schemas, defaultSettings);
/** Cells are documents like any other; the notebooks list which of them belong together. */
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

/** The scope and the deployment with which the cells of a notebook were last analyzed, by the notebook's URI. */
const cellsSeen = new Map<string, readonly (CellScope | string | undefined)[]>();

/** Analyzes all cells again when the lets above some of them, or their deployments, have changed. */
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

/** The fields of many datasets arrive one after another; what is open is analysed anew once for all. */
const schemaSettlesMs = 50;
let refreshing: NodeJS.Timeout | undefined;

function refreshSoon(): void {
  clearTimeout(refreshing);
  refreshing = setTimeout(refresh, schemaSettlesMs);
}

function refresh(): void {
  for (const document of open.all()) schedule(document.uri);
  // A refusal is nothing to act on, and left alone it would end the process.
  const ignore = (): void => undefined;
  if (pulls) connection.languages.diagnostics.refresh().catch(ignore);
  if (client.semanticTokens?.refreshSupport)
    connection.languages.semanticTokens.refresh().catch(ignore);
  if (client.codeLens?.refreshSupport)
    connection.sendRequest(CodeLensRefreshRequest.type).catch(ignore);
  if (client.inlayHint?.refreshSupport) connection.languages.inlayHint.refresh().catch(ignore);
}

/** What the client can do for the workspace: which answers it asks for again when it is told to. */
let client: NonNullable<ClientCapabilities['workspace']> = {};
/** Whether the client asks for diagnostics; else they are sent to it. */
let pulls = false;

async function readSettings(): Promise<void> {
  const items = settingKeys.map((key) => ({ section: `aplomb.${settingRows[key].name}` }));
  workspace.settings = settingsFrom(await connection.workspace.getConfiguration(items));
  refresh();
}

/** The settings are read before the first request of values, because they can turn such requests off. */
let settingsRead: Promise<void> = Promise.resolve();

workspace.requestFieldValues = async (params) => {
  await settingsRead;
  if (!workspace.settings.valuesFromDeployment) return null;
  return connection.sendRequest<protocol.FieldValuesResult | null>(
    protocol.fieldValuesRequest,
    params,
  );
};

/** Documents that have changed; one edit after another is answered once. */
const due = new Set<string>();

function schedule(uri: string): void {
  if (due.size === 0) setImmediate(lookAtDue);
  due.add(uri);
}

/** Analyses whose datasets were asked for; when something of the schema is forgotten, all are made anew. */
const looked = new WeakSet<QueryAnalysis>();

/** Asks for the fields that changed documents need, and sends diagnostics to a client that does not ask. */
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
// Without its channel the server serves nobody; the library ends it only when the client's process has.
process.once('disconnect', () => process.exit());
