/** Defines a language-server feature and the state that features share. */
import type {
  ClientCapabilities,
  Connection,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver';
import { analyzeQuery, type Schema } from '../../language/src/index.ts';
import { CellScopes, emptyScope } from './cells.ts';
import { deploymentOf } from './deploymentOf.ts';
import type { DeploymentSchemas } from './deploymentSchemas.ts';
import type { Documents, Snapshot } from './documents.ts';
import { datasetNames } from './fieldsNeeded.ts';
import { FrequentValues } from './frequentValues.ts';
import {
  type FieldValuesParams,
  type FieldValuesResult,
  type ValuesSeenParams,
  workspaceFilesRequest,
} from './protocol.ts';
import type { SchemaStore } from './schemas.ts';
import type { Settings } from './settings.ts';
import type { SourceDocument } from './sourceDocument.ts';
import { DeploymentValues } from './valuesSeen.ts';
import { type WorkspaceFile, WorkspaceFiles } from './workspaceFiles.ts';

export interface Feature {
  readonly capabilities: ServerCapabilities;
  register(connection: Connection, workspace: Workspace): void;
}

/** A request's reference to a document: `uri` in this extension's messages, `textDocument` in LSP messages. */
type OfDocument = { uri: string } | { textDocument: { uri: string } };

export class Workspace {
  readonly open: TextDocuments<SourceDocument>;
  readonly documents: Documents;
  readonly schemas: DeploymentSchemas;
  settings: Settings;
  readonly files = new WorkspaceFiles();
  readonly valuesSeen = new DeploymentValues();
  readonly frequentValues = new FrequentValues((params) => this.requestFieldValues(params));
  readonly #scopes = new CellScopes();
  /** Returns the URIs of the cells in a document's notebook, or undefined outside a notebook. */
  cellsAround: (uri: string) => readonly string[] | undefined = () => undefined;
  deploymentOfCell: (uri: string) => string | undefined = () => undefined;
  requestFieldValues: (params: FieldValuesParams) => Promise<FieldValuesResult | null> = async () =>
    null;
  client: ClientCapabilities = {};

  constructor(
    open: TextDocuments<SourceDocument>,
    documents: Documents,
    schemas: DeploymentSchemas,
    settings: Settings,
  ) {
    this.open = open;
    this.documents = documents;
    this.schemas = schemas;
    this.settings = settings;
  }

  /** Stores a result's values for completion. First loads the fields of the datasets used in the result's query. */
  async learn(params: ValuesSeenParams): Promise<void> {
    const { deployment = this.schemas.active } = params;
    const schemas = this.schemas.of(deployment);
    const valuesSeen = this.valuesSeen.of(deployment);
    const { epoch } = valuesSeen;
    const { references } = analyzeQuery(params.query, schemas.schema).bound;
    await Promise.all(datasetNames(references).map((name) => schemas.ensureFields(name)));
    if (epoch === valuesSeen.epoch) valuesSeen.add(params, schemas.schema);
  }

  snapshot(uri: string): Snapshot | undefined {
    const document = this.open.get(uri);
    return document && this.#snapshotOf(document);
  }

  /** Returns a request handler that calls `answer` for an open document, and returns `closed` for a closed one. */
  answering<Params extends OfDocument, Answer, Closed>(
    closed: Closed,
    answer: (now: Snapshot, params: Params) => Answer,
  ): (params: Params) => Answer | Closed {
    return (params) => {
      const now = this.snapshot('uri' in params ? params.uri : params.textDocument.uri);
      return now === undefined ? closed : answer(now, params);
    };
  }

  /** Returns a document's deployment. Undefined means the active deployment, whose name isn't known yet. */
  deploymentOf(uri: string): string | undefined {
    const document = this.open.get(uri);
    return (document && this.#namedBy(document)) ?? this.schemas.active;
  }

  schemasOf(uri: string): SchemaStore {
    return this.schemas.of(this.deploymentOf(uri));
  }

  /** Returns the cells of a document's notebook, or only the document outside a notebook. */
  cells(uri: string): Snapshot[] {
    const cells = this.cellsAround(uri) ?? [uri];
    return cells.flatMap((cell) => this.snapshot(cell) ?? []);
  }

  forget(uri: string): void {
    this.documents.forget(uri);
    this.#scopes.forget(uri);
  }

  closedFiles(connection: Connection): Promise<readonly WorkspaceFile[]> {
    return this.files.current(
      (params) => connection.sendRequest(workspaceFilesRequest, params),
      (uri) => this.open.get(uri) !== undefined,
    );
  }

  snapshots(): Snapshot[] {
    return this.open.all().map((document) => this.#snapshotOf(document));
  }

  #snapshotOf(document: SourceDocument): Snapshot {
    const { disabledProblems } = this.settings;
    const schema = this.#schemaOf(document);
    const cells = this.cellsAround(document.uri);
    if (cells === undefined) return this.documents.snapshot(document, schema, disabledProblems);
    let scope = emptyScope;
    for (const uri of cells) {
      if (uri === document.uri) break;
      const above = this.open.get(uri);
      if (above === undefined) continue;
      const own = this.#schemaOf(above);
      const snapshot = this.documents.snapshot(above, own, disabledProblems, scope);
      scope = this.#scopes.below(snapshot, scope);
    }
    return this.documents.snapshot(document, schema, disabledProblems, scope);
  }

  #namedBy(document: SourceDocument): string | undefined {
    return deploymentOf(document) ?? this.deploymentOfCell(document.uri);
  }

  #schemaOf(document: SourceDocument): Schema {
    return this.schemas.of(this.#namedBy(document)).schema;
  }
}
