/**
 * The one gate in front of every handler: it reads the endpoint's row, the endpoint's line of `scopes.ts` and the
 * token, and refuses what the token may not do. No handler checks for itself; what lists may show, and what a
 * query may read, is handed to handlers as what there is.
 */
import type { EndpointKey, EndpointRow, KeptQuery, TokenKind } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import type { Dataset } from '../store/datasets.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import { Access, READ } from './access.ts';
import type { Caller } from './callers.ts';
import { Capabilities, isOfDatasets } from './capabilities.ts';
import { type Asked, changedDocument, type Scope, scopes } from './scopes.ts';
import { subjectOf, subjectOfQuery } from './subjects.ts';

/** What there is, as far as the token may see it. */
export interface Seen {
  datasets(): Dataset[];
  documents<T extends Document>(kind: ResourceKind): T[];
  /** A query that was kept when it ran: with the same token, or one that may query all that it reads. */
  keptQuery(id: string): Promise<KeptQuery | undefined>;
}

export class Passage {
  readonly #store: Store;
  readonly #row: EndpointRow;
  readonly #scope: Scope;
  readonly #caller: Caller;
  readonly #capabilities: Capabilities;
  readonly #access: Access;

  /** Throws an ApiError for a token of the wrong kind, or one that cannot use the endpoint for anything. */
  constructor(store: Store, key: EndpointKey, row: EndpointRow, caller: Caller) {
    this.#store = store;
    this.#row = row;
    this.#scope = scopes[key];
    this.#caller = caller;
    this.#capabilities = caller.capabilities;
    this.#access = new Access(store, caller.capabilities);
    checkKind(row, caller.kind);
    const { capability } = row;
    if (capability !== undefined && !this.#capabilities.anywhere(capability)) {
      throw new ApiError('capability-missing', { capability });
    }
  }

  /** Checks what the path and the query string name. Throws an ApiError. */
  checkAddress(asked: Asked): void {
    const { dataset, document } = this.#scope;
    if (dataset !== undefined) {
      const name = dataset.name(asked);
      const may =
        this.#capabilities.onDataset(name, dataset.need) ||
        (dataset.or !== undefined && this.#capabilities.inOrganization(dataset.or));
      if (!may) throw forbidden(dataset.need, name);
    }
    if (document !== undefined) this.#checkDocument(document, asked.params['id']!);
  }

  // What a list leaves out does not exist for the token.
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

  /** Checks what a JSON body is about and what it gives away. Throws an ApiError. */
  checkBody(asked: Asked): void {
    const { writes, document, gives } = this.#scope;
    if (writes !== undefined) {
      const current =
        document && this.#store.resources.get<Document>(document, asked.params['id']!);
      const next = changedDocument(writes, asked.body as Document, current);
      const { capability } = this.#row;
      const need = capability !== undefined && isOfDatasets(capability) ? capability : READ;
      // Whoever may use all of them need not wait until it is known which.
      if (!this.#capabilities.onEveryDataset(need)) {
        const name = this.#access.forbiddenOf(subjectOf(writes, next), need);
        if (name !== undefined) throw forbidden(need, name);
      }
    }
    const given = gives?.(asked, this.#store);
    if (given === undefined) return;
    const capability = this.#capabilities.lackingOf(Capabilities.of(given));
    if (capability !== undefined) throw new ApiError('grant-forbidden', { capability });
  }

  #maySeeKept({ query }: KeptQuery, keeper: string | null): boolean {
    if (keeper === this.#caller.tokenId) return true;
    const { apl } = query as { readonly apl?: unknown };
    if (typeof apl !== 'string' || !this.#capabilities.anywhere(READ)) return this.#access.isFull;
    return this.#access.forbiddenOf(subjectOfQuery(apl), READ) === undefined;
  }

  /** What the handler is to take for all that there is. */
  get seen(): Seen {
    const { resources, datasets } = this.#store;
    const { lists = (capabilities, dataset) => capabilities.onDataset(dataset, READ) } =
      this.#scope;
    return {
      datasets: () =>
        datasets.list().filter(({ layout }) => lists(this.#capabilities, layout.name)),
      documents: <T extends Document>(kind: ResourceKind) =>
        resources
          .entries<T>(kind)
          .filter(([id, document]) => this.#access.maySee(kind, id, document))
          .map(([, document]) => document),
      keptQuery: async (id) => {
        const kept = await this.#store.history.get(id);
        const may = kept !== undefined && this.#maySeeKept(kept.query, kept.keeper);
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
