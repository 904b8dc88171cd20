/** What a feature of the language server is, and what features share. */
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
import type { FieldValuesParams, FieldValuesResult, ValuesSeenParams } from './protocol.ts';
import type { SchemaStore } from './schemas.ts';
import type { Settings } from './settings.ts';
import type { SourceDocument } from './sourceDocument.ts';
import { DeploymentValues } from './valuesSeen.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** One feature: what it tells the client of itself, and the handlers behind that. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  register(connection: Connection, workspace: Workspace): void;
}

/** The open documents and what is known around them. */
export class Workspace {
  readonly open: TextDocuments<SourceDocument>;
  readonly documents: Documents;
  readonly schemas: DeploymentSchemas;
  settings: Settings;
  readonly files = new WorkspaceFiles();
  readonly valuesSeen = new DeploymentValues();
  readonly frequentValues = new FrequentValues((params) => this.requestFieldValues(params));
  readonly #scopes = new CellScopes();
  /** The URIs of all cells in a cell's notebook, in order; undefined for other documents. */
  cellsAround: (uri: string) => readonly string[] | undefined = () => undefined;
  /** The name of the deployment that a cell or its notebook has in its metadata. */
  deploymentOfCell: (uri: string) => string | undefined = () => undefined;
  /** Requests the frequent values of a field from the client. */
  requestFieldValues: (params: FieldValuesParams) => Promise<FieldValuesResult | null> = async () =>
    null;
  /** What the client can do, as it says when it starts. */
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

  /** Remembers the values of a result, once the fields of the datasets that its query names are known. */
  async learn(params: ValuesSeenParams): Promise<void> {
    const { deployment = this.schemas.active } = params;
    const schemas = this.schemas.of(deployment);
    const valuesSeen = this.valuesSeen.of(deployment);
    const { epoch } = valuesSeen;
    const { references } = analyzeQuery(params.query, schemas.schema).bound;
    await Promise.all(datasetNames(references).map((name) => schemas.ensureFields(name)));
    if (epoch === valuesSeen.epoch) valuesSeen.add(params, schemas.schema);
  }

  /** An open document as it is now, analysed; undefined when it is not open. */
  snapshot(uri: string): Snapshot | undefined {
    const document = this.open.get(uri);
    return document && this.#snapshotOf(document);
  }

  /** The name of the deployment that a document belongs to; undefined where the client has not named the active one. */
  deploymentOf(uri: string): string | undefined {
    const document = this.open.get(uri);
    return (document && this.#namedBy(document)) ?? this.schemas.active;
  }

  /** What is known of the deployment that a document belongs to. */
  schemasOf(uri: string): SchemaStore {
    return this.schemas.of(this.deploymentOf(uri));
  }

  /** The analyzed APL cells of the same notebook, in order. Outside of notebooks, the document alone. */
  cells(uri: string): Snapshot[] {
    const cells = this.cellsAround(uri) ?? [uri];
    return cells.flatMap((cell) => this.snapshot(cell) ?? []);
  }

  forget(uri: string): void {
    this.documents.forget(uri);
    this.#scopes.forget(uri);
  }

  /** Every open document, analysed. */
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
