// The language server for the client: queries, names and schema changes. The server requests datasets, fields, values
// and files, and never gets a token.
import * as vscode from 'vscode';
import * as protocol from '../../../server/src/protocol.ts';
import type { Log } from '../host/log.ts';
import type { FrequentValues } from '../schema/frequentValues.ts';
import type { SchemaSource } from '../schema/schemaSource.ts';
import { CalmProblems } from './calmProblems.ts';
import type { LanguageClient } from './languageRequests.ts';
import { Typing } from './typing.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

export const languageId = 'axiom-apl';

/** The language of documents with queries in fenced blocks. */
export const markdownId = 'markdown';

export type ServerState = 'stopped' | 'starting' | 'running';

export class LanguageServer implements vscode.Disposable {
  readonly #extension: vscode.ExtensionContext;
  readonly #schema: SchemaSource;
  readonly #values: FrequentValues;
  readonly #log: Log;
  readonly #files = new WorkspaceFiles();
  readonly #typing = new Typing([languageId, markdownId]);
  readonly #problems = new CalmProblems(this.#typing);
  readonly #subscriptions: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChangeState = this.#changed.event;
  readonly #opened = new vscode.EventEmitter<void>();
  /** Fires after the server got a document that it did not have. */
  readonly onDidOpen = this.#opened.event;
  #state: ServerState = 'stopped';
  /** Created with the first start, because its library loads slowly. */
  #connecting: Promise<LanguageClient> | undefined;
  #client: LanguageClient | undefined;
  #started: Promise<void> | undefined;

  constructor(
    extension: vscode.ExtensionContext,
    schema: SchemaSource,
    values: FrequentValues,
    log: Log,
  ) {
    this.#extension = extension;
    this.#schema = schema;
    this.#values = values;
    this.#log = log;
    this.#subscriptions = vscode.Disposable.from(
      this.#typing,
      this.#typing.onDidRest(() => {
        if (this.#client?.isRunning()) this.#client.askForProblems();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#problems.forget(uri)),
      schema.onDidChangeAny(({ deployment, datasets }) => {
        const params: protocol.SchemaChangedParams = {
          ...(deployment !== undefined && { deployment }),
          ...(datasets && { datasets: [...datasets] }),
        };
        this.#tell(protocol.schemaChangedNotification, params);
      }),
      schema.onDidChangeActive((deployment) => {
        const params: protocol.ActiveDeploymentParams = { deployment };
        this.#tell(protocol.activeDeploymentNotification, params);
      }),
    );
  }

  get state(): ServerState {
    return this.#state;
  }

  start(): Promise<void> {
    this.#started ??= this.#connect().then((client) => client.start());
    return this.#started;
  }

  async restart(): Promise<void> {
    const client = await this.#connect();
    this.#started = client.isRunning() ? client.restart() : client.start();
    await this.#started;
  }

  /** Returns the query at a position, or all queries of the document. */
  async queriesAt(
    document: vscode.TextDocument,
    position?: vscode.Position,
  ): Promise<protocol.QueryText[]> {
    const params: protocol.QueryAtParams = {
      uri: document.uri.toString(),
      ...(position && { position: { line: position.line, character: position.character } }),
    };
    return this.#ask<protocol.QueryAtResult>(protocol.queryAtRequest, params);
  }

  /** Returns the query up to and including the stage at a position, if there is one. */
  async queryUpTo(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
  ): Promise<protocol.QueryText | undefined> {
    const params: protocol.QueryUpToParams = {
      uri: document.uri.toString(),
      position: { line, character },
    };
    const found = await this.#ask<protocol.QueryUpToResult>(protocol.queryUpToRequest, params);
    return found ?? undefined;
  }

  async cellQueries({ uri }: vscode.TextDocument): Promise<protocol.CellQuery[]> {
    const params: protocol.CellQueriesParams = { uri: uri.toString() };
    return this.#ask<protocol.CellQueriesResult>(protocol.cellQueriesRequest, params);
  }

  async queryFacts(text: string): Promise<protocol.QueryFacts> {
    const params: protocol.QueryFactsParams = { text };
    return this.#ask<protocol.QueryFactsResult>(protocol.queryFactsRequest, params);
  }

  /** Returns the first syntax error of each text, parsed as one query. */
  async syntaxErrors(texts: readonly string[]): Promise<(protocol.SyntaxErrorAt | undefined)[]> {
    const params: protocol.SyntaxErrorsParams = { texts: [...texts] };
    const found = await this.#ask<protocol.SyntaxErrorsResult>(
      protocol.syntaxErrorsRequest,
      params,
    );
    return found.map((error) => error ?? undefined);
  }

  async followPlan(text: string): Promise<protocol.FollowPlan> {
    const params: protocol.FollowPlanParams = { text };
    return this.#ask<protocol.FollowPlan>(protocol.followPlanRequest, params);
  }

  /** Returns queries that count the rows after each stage of the pipeline at a position. */
  async stageCounts(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
  ): Promise<protocol.StageCount[]> {
    const params: protocol.StageCountsParams = {
      uri: document.uri.toString(),
      position: { line, character },
    };
    return this.#ask<protocol.StageCountsResult>(protocol.stageCountsRequest, params);
  }

  async quoteName(name: string): Promise<string> {
    const params: protocol.QuoteNameParams = { name };
    return this.#ask<protocol.QuoteNameResult>(protocol.quoteNameRequest, params);
  }

  /** Formats a column, or a member in its value, for a query. */
  async quotePath(column: string, path: readonly (string | number)[]): Promise<string> {
    const params: protocol.QuotePathParams = { column, path: [...path] };
    return this.#ask<protocol.QuotePathResult>(protocol.quotePathRequest, params);
  }

  /** Returns the query at a position, or a part of it, with conditions, or a refusal. */
  async addFilter(
    document: vscode.TextDocument,
    { line, character }: protocol.WirePosition,
    conditions: readonly protocol.WireCondition[],
    part?: string,
  ): Promise<protocol.AddFilterResult> {
    const params: protocol.AddFilterParams = {
      uri: document.uri.toString(),
      position: { line, character },
      ...(part !== undefined && { part }),
      conditions: [...conditions],
    };
    return this.#ask<protocol.AddFilterResult>(protocol.addFilterRequest, params);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#opened.dispose();
    this.#subscriptions.dispose();
    this.#files.dispose();
    this.#connecting
      ?.then((client) => client.dispose())
      .catch((error) => this.#log.error('Stopping the language server', error));
  }

  /** Sends a result's values to the server if it runs. Doesn't start it. */
  tellValuesSeen(params: protocol.ValuesSeenParams): void {
    this.#tell(protocol.valuesSeenNotification, params);
  }

  /** Returns the running client, for requests about documents without an editor. */
  async client(): Promise<LanguageClient> {
    await this.start();
    return this.#connect();
  }

  #connect(): Promise<LanguageClient> {
    this.#connecting ??= this.#makeClient();
    return this.#connecting;
  }

  async #makeClient(): Promise<LanguageClient> {
    const { newClient } = await import('./serverConnection.ts');
    const client = newClient({
      extension: this.#extension,
      language: languageId,
      log: this.#log,
      typing: this.#typing,
      problems: this.#problems,
      startOptions: () => ({ deployment: this.#schema.deployment }),
      onOpened: () => this.#opened.fire(),
      onState: (state) => {
        this.#state = state;
        this.#changed.fire(state);
      },
    });
    client.onRequest(protocol.datasetsRequest, ({ deployment }: protocol.DatasetsParams) =>
      this.#schema.datasetsNow(deployment),
    );
    client.onRequest(protocol.fieldsRequest, ({ dataset, deployment }: protocol.FieldsParams) =>
      this.#schema.fieldsNow(dataset, deployment),
    );
    client.onRequest(protocol.fieldValuesRequest, (params: protocol.FieldValuesParams) =>
      this.#values.of(params),
    );
    client.onRequest(protocol.workspaceFilesRequest, ({ known }: protocol.WorkspaceFilesParams) =>
      this.#files.files(known),
    );
    this.#client = client;
    return client;
  }

  async #ask<Answer>(method: string, params: object): Promise<Answer> {
    const client = await this.client();
    return client.sendRequest<Answer>(method, params);
  }

  #tell(method: string, params: object): void {
    if (!this.#client?.isRunning()) return;
    this.#client
      .sendNotification(method, params)
      .catch((error) => this.#log.error('Notifying the language server', error));
  }
}
