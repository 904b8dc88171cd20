/**
 * Checks before the handler runs that the token has the access that the endpoint's definition requires. Handlers don't
 * check tokens: they list only the records in `visible`. A query's datasets are known only after binding, so
 * `sourcesOf` restricts them instead.
 */
import type { EndpointRow, HistoryQuery, TokenKind } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import type { Dataset } from '../store/datasetRecords.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import { Access, READ } from './access.ts';
import type { Caller } from './callers.ts';
import { Capabilities, isOfDatasets } from './capabilities.ts';
import { changedDocument, datasetName, grantsOf, type RequestParts } from './scopes.ts';
import { subjectOf, subjectOfQuery } from './subjects.ts';

export interface VisibleRecords {
  datasets(): Dataset[];
  documents<T extends Document>(kind: ResourceKind): T[];
  /** Returns the query if the caller's token ran it or may query all of its datasets. */
  historyQuery(id: string): Promise<HistoryQuery | undefined>;
}

export class AccessCheck {
  readonly #store: Store;
  readonly #row: EndpointRow;
  readonly #caller: Caller;
  readonly #capabilities: Capabilities;
  readonly #access: Access;

  /** Throws an ApiError if the endpoint rejects this kind of token, or the token lacks the endpoint's capability. */
  constructor(store: Store, row: EndpointRow, caller: Caller) {
    this.#store = store;
    this.#row = row;
    this.#caller = caller;
    this.#capabilities = caller.capabilities;
    this.#access = new Access(store, caller.capabilities);
    checkKind(row, caller.kind);
    const { capability } = row;
    if (capability !== undefined && !this.#capabilities.anywhere(capability)) {
      throw new ApiError('capability-missing', { capability });
    }
  }

  /** Throws an ApiError if the caller may not use the dataset or document that the request names. */
  checkTarget(parts: RequestParts): void {
    const { dataset, document } = this.#row.scope;
    if (dataset !== undefined) {
      const name = datasetName(this.#row.scope, parts);
      const may =
        this.#capabilities.onDataset(name, dataset.need) ||
        (dataset.or !== undefined && this.#capabilities.inOrganization(dataset.or));
      if (!may) throw forbidden(dataset.need, name);
    }
    if (document !== undefined) this.#checkDocument(document, parts.params['id']!);
  }

  // Checks the access to a document. Reports the document as nonexistent if the caller may not see it.
  #checkDocument(kind: ResourceKind, id: string): void {
    const { capability } = this.#row;
    const current = this.#store.resources.get<Document>(kind, id);
    if (current === undefined) {
      if (this.#access.isFull) return;
      throw hidden(kind, id);
    }
    if (capability === undefined || !isOfDatasets(capability)) {
      if (!this.#access.maySee(kind, id, current)) throw hidden(kind, id);
      return;
    }
    const name = this.#access.forbiddenOf(subjectOf(kind, current), capability);
    if (name === undefined) return;
    throw this.#access.maySee(kind, id, current) ? forbidden(capability, name) : hidden(kind, id);
  }

  /** Throws an ApiError if the caller may not use a dataset in the body, or lacks a capability that the body grants. */
  checkBody(parts: RequestParts): void {
    const { writes, document } = this.#row.scope;
    if (writes !== undefined) {
      const current =
        document && this.#store.resources.get<Document>(document, parts.params['id']!);
      const next = changedDocument(writes, parts.body as Document, current);
      const { capability } = this.#row;
      const need = capability !== undefined && isOfDatasets(capability) ? capability : READ;
      if (!this.#capabilities.onEveryDataset(need)) {
        const name = this.#access.forbiddenOf(subjectOf(writes, next), need);
        if (name !== undefined) throw forbidden(need, name);
      }
    }
    const grants = grantsOf(this.#row.scope, parts, this.#store);
    if (grants === undefined) return;
    const capability = this.#capabilities.missingFrom(Capabilities.of(grants));
    if (capability !== undefined) throw new ApiError('grant-forbidden', { capability });
  }

  #maySeeQuery({ query }: HistoryQuery, tokenId: string | null): boolean {
    if (tokenId === this.#caller.tokenId) return true;
    const { apl } = query as { readonly apl?: unknown };
    if (typeof apl !== 'string' || !this.#capabilities.anywhere(READ)) return this.#access.isFull;
    return this.#access.forbiddenOf(subjectOfQuery(apl), READ) === undefined;
  }

  get visible(): VisibleRecords {
    const { resources, datasets } = this.#store;
    const listsAll =
      this.#row.scope.listsDatasets === true && this.#capabilities.inOrganization('datasets:read');
    return {
      datasets: () =>
        datasets
          .list()
          .filter(({ layout }) => listsAll || this.#capabilities.onDataset(layout.name, READ)),
      documents: <T extends Document>(kind: ResourceKind) =>
        resources
          .entries<T>(kind)
          .filter(([id, document]) => this.#access.maySee(kind, id, document))
          .map(([, document]) => document),
      historyQuery: async (id) => {
        const kept = await this.#store.history.get(id);
        const may = kept !== undefined && this.#maySeeQuery(kept.query, kept.tokenId);
        return may ? kept.query : undefined;
      },
    };
  }
}

function checkKind({ host, tokens }: EndpointRow, kind: TokenKind): void {
  if (tokens.includes(kind)) return;
  if (kind === 'api') throw new ApiError('needs-personal-token');
  throw new ApiError(host === 'edge' ? 'edge-needs-api-token' : 'needs-api-token');
}

function forbidden(capability: string, name: string): ApiError {
  const dataset = name === '*' ? 'every dataset' : `the dataset ${JSON.stringify(name)}`;
  return new ApiError('dataset-forbidden', { capability, dataset });
}

function hidden(kind: ResourceKind, id: string): ApiError {
  return new ApiError('resource-hidden', { kind, id: JSON.stringify(id) });
}
