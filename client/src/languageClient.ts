// The language server's process: started when it is first needed, asked for queries and names, told of
// changed schemas. It asks back for datasets, fields and the files of the workspace, and never sees a token.
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  DocumentDiagnosticRequest,
  RevealOutputChannelOn,
  State,
  TransportKind,
  vsdiag,
} from 'vscode-languageclient/node';
import * as protocol from '../../server/src/protocol.ts';
import { CalmProblems } from './calmProblems.ts';
import { LanguageClient } from './languageRequests.ts';
import type { Log } from './log.ts';
import { linkToPages } from './problemPages.ts';
import type { SchemaSource } from './schemaSource.ts';
import { Typing } from './typing.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

export const languageId = 'axiom-apl';

/** The language of documents whose fenced blocks may have queries. */
export const markdownId = 'markdown';

export type ServerState = 'stopped' | 'starting' | 'running';

export class LanguageServer implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #log: Log;
  readonly #files = new WorkspaceFiles();
  readonly #typing = new Typing([languageId, markdownId]);
  readonly #problems = new CalmProblems(this.#typing);
  readonly #subscriptions: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChangeState = this.#changed.event;
  readonly #opened = new vscode.EventEmitter<void>();
  /** Fires after the server was sent a document that it did not have. */
  readonly onDidOpen = this.#opened.event;
  #started: Promise<void> | undefined;

  constructor(extension: vscode.ExtensionContext, schema: SchemaSource, log: Log) {
    this.#log = log;
    const module = extension.asAbsolutePath(join('dist', 'server.cjs'));
    this.#client = new LanguageClient(
      'aplomb',
      'APL Language Server',
      { module, transport: TransportKind.ipc },
      {
        // The server itself asks for Markdown, with the few features that serve it.
        documentSelector: [{ language: languageId }],
        // Without this the library asks for diagnostics only when a document is opened.
        diagnosticPullOptions: { onChange: true },
        // An output that opens by itself covers the query that is being typed.
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        outputChannel: log.channel,
        traceOutputChannel: log.channel,
        middleware: {
          didOpen: async (document, next) => {
            await next(document);
            this.#opened.fire();
          },
          handleDiagnostics: (uri, diagnostics, next) => next(uri, linkToPages(diagnostics)),
          provideDiagnostics: async (document, previousResultId, token, next) => {
            const report = await next(document, previousResultId, token);
            if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report;
            const uri = 'uri' in document ? document.uri : document;
            const items = [...this.#problems.visible(uri, linkToPages(report.items))];
            if (items.length === report.items.length) return report;
            // Without an id the server answers with all problems the next time.
            return { kind: report.kind, items };
          },
          // The lenses that are there move with the text; asked for now, some might go and come back.
          provideCodeLenses: async (document, token, next) => {
            await this.#typing.rested(document.uri, token);
            return token.isCancellationRequested ? [] : next(document, token);
          },
        },
      },
    );
    this.#client.onRequest(protocol.datasetsRequest, () => schema.datasets());
    this.#client.onRequest(protocol.fieldsRequest, ({ dataset }: protocol.FieldsParams) =>
      schema.fields(dataset),
    );
    this.#client.onRequest(
      protocol.workspaceFilesRequest,
      ({ known }: protocol.WorkspaceFilesParams) => this.#files.files(known),
    );
    this.#client.onDidChangeState(() => this.#changed.fire(this.state));
    schema.onDidChange((datasets) => this.#tellSchemaChanged(datasets));
    this.#subscriptions = vscode.Disposable.from(
      this.#typing,
      this.#typing.onDidRest(() => this.#askForProblems()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#problems.forget(uri)),
    );
  }

  get state(): ServerState {
    if (this.#client.state === State.Running) return 'running';
    return this.#client.state === State.Starting ? 'starting' : 'stopped';
  }

  /** Starts the server unless it runs. */
  start(): Promise<void> {
    this.#started ??= this.#client.start();
    return this.#started;
  }

  async restart(): Promise<void> {
    this.#started = this.#client.isRunning() ? this.#client.restart() : this.#client.start();
    await this.#started;
  }

  /** The query at a position, or all queries of the document. */
  async queriesAt(
    document: vscode.TextDocument,
    position?: vscode.Position,
  ): Promise<protocol.QueryText[]> {
    const params: protocol.QueryAtParams = {
      uri: document.uri.toString(),
      ...(position && { position: { line: position.line, character: position.character } }),
    };
    await this.start();
    return this.#client.sendRequest<protocol.QueryAtResult>(protocol.queryAtRequest, params);
  }

  /** The query up to and with the stage at a position; nothing where there is no stage. */
  async queryUpTo(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
  ): Promise<protocol.QueryText | undefined> {
    const params: protocol.QueryUpToParams = {
      uri: document.uri.toString(),
      position: { line, character },
    };
    await this.start();
    const found = await this.#client.sendRequest<protocol.QueryUpToResult>(
      protocol.queryUpToRequest,
      params,
    );
    return found ?? undefined;
  }

  /** What running a text depends on. */
  async queryFacts(text: string): Promise<protocol.QueryFacts> {
    await this.start();
    const params: protocol.QueryFactsParams = { text };
    return this.#client.sendRequest<protocol.QueryFactsResult>(protocol.queryFactsRequest, params);
  }

  /** Queries that count the rows after each stage of the pipeline at a position. */
  async stageCounts(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
  ): Promise<protocol.StageCount[]> {
    const params: protocol.StageCountsParams = {
      uri: document.uri.toString(),
      position: { line, character },
    };
    await this.start();
    return this.#client.sendRequest<protocol.StageCountsResult>(
      protocol.stageCountsRequest,
      params,
    );
  }

  /** A name as APL writes it, quoted if it must be. */
  async quoteName(name: string): Promise<string> {
    await this.start();
    const params: protocol.QuoteNameParams = { name };
    return this.#client.sendRequest<protocol.QuoteNameResult>(protocol.quoteNameRequest, params);
  }

  /** A column, or a member below its value, as a query names it. */
  async quotePath(column: string, path: readonly (string | number)[]): Promise<string> {
    await this.start();
    const params: protocol.QuotePathParams = { column, path: [...path] };
    return this.#client.sendRequest<protocol.QuotePathResult>(protocol.quotePathRequest, params);
  }

  /** The edits that add a condition to the query at a position, or why there are none. */
  async addFilter(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
    {
      path,
      ...condition
    }: Omit<protocol.WireCondition, 'path'> & {
      readonly path: readonly (string | number)[];
    },
  ): Promise<protocol.AddFilterResult> {
    await this.start();
    const params: protocol.AddFilterParams = {
      uri: document.uri.toString(),
      position: { line, character },
      condition: { ...condition, path: [...path] },
    };
    return this.#client.sendRequest<protocol.AddFilterResult>(protocol.addFilterRequest, params);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#opened.dispose();
    this.#subscriptions.dispose();
    this.#files.dispose();
    this.#client.dispose().catch((error) => this.#log.error('Stopping the language server', error));
  }

  /** Tells of values in a result, while the server runs; a server that is not needed is not started. */
  tellValuesSeen(params: protocol.ValuesSeenParams): void {
    this.#tell(protocol.valuesSeenNotification, params);
  }

  #askForProblems(): void {
    if (this.#client.isRunning())
      this.#client.getFeature(DocumentDiagnosticRequest.method).refresh();
  }

  #tellSchemaChanged(datasets: readonly string[] | undefined): void {
    this.#tell(protocol.schemaChangedNotification, datasets ? { datasets: [...datasets] } : {});
  }

  #tell(method: string, params: object): void {
    if (!this.#client.isRunning()) return;
    this.#client
      .sendNotification(method, params)
      .catch((error) => this.#log.error('Notifying the language server', error));
  }
}
