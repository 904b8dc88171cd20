// The client's access to the language server. The server requests datasets, fields, values and files from the client,
// and never gets a token.

import * as vscode from 'vscode';
import * as protocol from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import type { FrequentValues } from '../schema/frequentValues.ts';
import { CalmProblems } from './calmProblems.ts';
import type { LanguageClient } from './languageRequests.ts';
import { Typing } from './typing.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** The language ID of documents with queries in fenced blocks. */
export const markdownId = 'markdown';

export type ServerState = 'stopped' | 'starting' | 'running';

type LanguageServerParts = Pick<Context, 'extension' | 'schema' | 'log'> & {
  readonly values: FrequentValues;
};

interface Requests {
  [protocol.queryAtRequest]: [protocol.QueryAtParams, protocol.QueryAtResult];
  [protocol.queryUpToRequest]: [protocol.QueryUpToParams, protocol.QueryUpToResult];
  [protocol.cellQueriesRequest]: [protocol.CellQueriesParams, protocol.CellQueriesResult];
  [protocol.queryFactsRequest]: [protocol.QueryFactsParams, protocol.QueryFactsResult];
  [protocol.syntaxErrorsRequest]: [protocol.SyntaxErrorsParams, protocol.SyntaxErrorsResult];
  [protocol.followPlanRequest]: [protocol.FollowPlanParams, protocol.FollowPlan];
  [protocol.stageCountsRequest]: [protocol.StageCountsParams, protocol.StageCountsResult];
  [protocol.quoteNameRequest]: [protocol.QuoteNameParams, protocol.QuoteNameResult];
  [protocol.quotePathRequest]: [protocol.QuotePathParams, protocol.QuotePathResult];
  [protocol.addFilterRequest]: [protocol.AddFilterParams, protocol.AddFilterResult];
}

/** Copies a position's members to a plain object, because VS Code's class isn't serialized with these members. */
const placeIn = (
  { uri }: vscode.TextDocument,
  { line, character }: protocol.WirePosition,
): protocol.QueryUpToParams => ({ uri: uri.toString(), position: { line, character } });

export class LanguageServer implements vscode.Disposable {
  readonly #parts: LanguageServerParts;
  readonly #files = new WorkspaceFiles();
  readonly #typing = new Typing([languageId, markdownId]);
  readonly #problems = new CalmProblems(this.#typing);
  readonly #subscriptions: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChangeState = this.#changed.event;
  readonly #opened = new vscode.EventEmitter<void>();
  /** Fires after the server has received a new document. */
  readonly onDidOpen = this.#opened.event;
  #state: ServerState = 'stopped';
  /** The client's start, created on first use because its library loads slowly. */
  #connecting: Promise<LanguageClient> | undefined;
  #client: LanguageClient | undefined;
  #started: Promise<void> | undefined;

  constructor(parts: LanguageServerParts) {
    this.#parts = parts;
    const { schema } = parts;
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

  /** Returns the query at a position; all queries in the document if there is no position. */
  queriesAt(
    document: vscode.TextDocument,
    position?: vscode.Position,
  ): Promise<protocol.QueryText[]> {
    const at = position ? placeIn(document, position) : { uri: document.uri.toString() };
    return this.#ask(protocol.queryAtRequest, at);
  }

  /** Returns the query up to and including the stage at a position; undefined if there is none. */
  async queryUpTo(
    document: vscode.TextDocument,
    at: protocol.WirePosition,
  ): Promise<protocol.QueryText | undefined> {
    return (await this.#ask(protocol.queryUpToRequest, placeIn(document, at))) ?? undefined;
  }

  cellQueries({ uri }: vscode.TextDocument): Promise<protocol.CellQuery[]> {
    return this.#ask(protocol.cellQueriesRequest, { uri: uri.toString() });
  }

  queryFacts(text: string): Promise<protocol.QueryFacts> {
    return this.#ask(protocol.queryFactsRequest, { text });
  }

  /** Parses each text as one query and returns each text's first syntax error. */
  async syntaxErrors(texts: readonly string[]): Promise<(protocol.SyntaxErrorAt | undefined)[]> {
    const found = await this.#ask(protocol.syntaxErrorsRequest, { texts: [...texts] });
    return found.map((error) => error ?? undefined);
  }

  followPlan(text: string): Promise<protocol.FollowPlan> {
    return this.#ask(protocol.followPlanRequest, { text });
  }

  /** Returns queries that count the rows after each stage of the pipeline at a position. */
  stageCounts(
    document: vscode.TextDocument,
    at: protocol.WirePosition,
  ): Promise<protocol.StageCount[]> {
    return this.#ask(protocol.stageCountsRequest, placeIn(document, at));
  }

  quoteName(name: string): Promise<string> {
    return this.#ask(protocol.quoteNameRequest, { name });
  }

  /** Quotes a column, or a member of a column's value, for use in a query. */
  quotePath(column: string, path: readonly (string | number)[]): Promise<string> {
    return this.#ask(protocol.quotePathRequest, { column, path: [...path] });
  }

  /** Returns an edit that adds conditions to the query at a position, or to a part of it; or a refusal. */
  addFilter(
    document: vscode.TextDocument,
    at: protocol.WirePosition,
    conditions: readonly protocol.WireCondition[],
    part?: string,
  ): Promise<protocol.AddFilterResult> {
    return this.#ask(protocol.addFilterRequest, {
      ...placeIn(document, at),
      ...(part !== undefined && { part }),
      conditions: [...conditions],
    });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#opened.dispose();
    this.#subscriptions.dispose();
    this.#files.dispose();
    this.#connecting
      ?.then((client) => client.dispose())
      .catch((error) => this.#parts.log.error('Stopping the language server', error));
  }

  /** Sends a result's values to the server if it is running. */
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
    const { extension, schema, values, log } = this.#parts;
    const client = newClient({
      extension,
      language: languageId,
      log,
      typing: this.#typing,
      problems: this.#problems,
      startOptions: () => ({ deployment: schema.deployment }),
      onOpened: () => this.#opened.fire(),
      onState: (state) => {
        this.#state = state;
        this.#changed.fire(state);
      },
    });
    client.onRequest(protocol.datasetsRequest, ({ deployment }: protocol.DatasetsParams) =>
      schema.datasetsNow(deployment),
    );
    client.onRequest(protocol.fieldsRequest, ({ dataset, deployment }: protocol.FieldsParams) =>
      schema.fieldsNow(dataset, deployment),
    );
    client.onRequest(protocol.fieldValuesRequest, (params: protocol.FieldValuesParams) =>
      values.of(params),
    );
    client.onRequest(protocol.workspaceFilesRequest, ({ known }: protocol.WorkspaceFilesParams) =>
      this.#files.files(known),
    );
    this.#client = client;
    return client;
  }

  async #ask<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method][0],
  ): Promise<Requests[Method][1]> {
    const client = await this.client();
    return client.sendRequest(method, params);
  }

  #tell(method: string, params: object): void {
    if (!this.#client?.isRunning()) return;
    this.#client
      .sendNotification(method, params)
      .catch((error) => this.#parts.log.error('Notifying the language server', error));
  }
}
