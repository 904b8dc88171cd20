// The language server's process: started when it is first needed, asked for queries and names, told of
// changed schemas. It asks back for datasets, fields and the files of the workspace, and never sees a token.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind, vsdiag } from 'vscode-languageclient/node';
import * as protocol from '../../server/src/protocol.ts';
import type { Log } from './log.ts';
import { linkToPages } from './problemPages.ts';
import type { SchemaSource } from './schemaSource.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

export const languageId = 'axiom-apl';

export type ServerState = 'stopped' | 'starting' | 'running';

export class LanguageServer implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #log: Log;
  readonly #files = new WorkspaceFiles();
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChangeState = this.#changed.event;
  #started: Promise<void> | undefined;

  constructor(extension: vscode.ExtensionContext, schema: SchemaSource, log: Log) {
    this.#log = log;
    const module = extension.asAbsolutePath(join('dist', 'server.cjs'));
    this.#client = new LanguageClient(
      'aplomb',
      'APL Language Server',
      { module, transport: TransportKind.ipc },
      {
        documentSelector: [{ language: languageId }],
        // Without this the library asks for diagnostics only when a document is opened.
        diagnosticPullOptions: { onChange: true },
        outputChannel: log.channel,
        traceOutputChannel: log.channel,
        middleware: {
          handleDiagnostics: (uri, diagnostics, next) => next(uri, linkToPages(diagnostics)),
          provideDiagnostics: async (document, previousResultId, token, next) => {
            const report = await next(document, previousResultId, token);
            if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full)
              linkToPages(report.items);
            return report;
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

  /** A name as APL writes it, quoted if it must be. */
  async quoteName(name: string): Promise<string> {
    await this.start();
    const params: protocol.QuoteNameParams = { name };
    return this.#client.sendRequest<protocol.QuoteNameResult>(protocol.quoteNameRequest, params);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#files.dispose();
    this.#client.dispose().catch((error) => this.#log.error('Ending the language server', error));
  }

  /** Tells of values in a result, while the server runs; a server that is not needed is not started. */
  tellValuesSeen(params: protocol.ValuesSeenParams): void {
    this.#tell(protocol.valuesSeenNotification, params);
  }

  #tellSchemaChanged(datasets: readonly string[] | undefined): void {
    this.#tell(protocol.schemaChangedNotification, datasets ? { datasets: [...datasets] } : {});
  }

  #tell(method: string, params: object): void {
    if (!this.#client.isRunning()) return;
    this.#client
      .sendNotification(method, params)
      .catch((error) => this.#log.error('Telling the language server', error));
  }
}
