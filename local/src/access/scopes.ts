/** Evaluates the scopes in endpoint definitions: the dataset that a request names and the capabilities it grants. */
import { REQUEST_HEADERS, type Scope } from '../../../api/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import type { Grants } from './capabilities.ts';
import { directoryOf } from './directory.ts';
import type { StoredToken } from './storedToken.ts';

/** The parts of a request, validated by the schemas in the endpoint's definition. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The headers that the endpoint's definition declares. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type DatasetLocation = NonNullable<Scope['dataset']>['in'];

const datasetNames: Readonly<Record<DatasetLocation, (parts: RequestParts) => string>> = {
  path: ({ params }) => params['dataset_id'] ?? params['dataset_name'] ?? '',
  query: ({ query }) => String(query['dataset']),
  header: ({ headers }) => String(headers[REQUEST_HEADERS.dataset] ?? ''),
};

/** Returns the name of the dataset in a request, or '' if the endpoint's scope has no dataset. */
export function datasetName({ dataset }: Scope, parts: RequestParts): string {
  return dataset === undefined ? '' : datasetNames[dataset.in](parts);
}

type GrantsOfRequest = (parts: RequestParts, store: Store) => readonly Grants[];

const grantsOfRole: GrantsOfRequest = ({ body }, store) => {
  const role = directoryOf(store.resources).roleNamed((body as { readonly role: string }).role);
  return role === undefined ? [] : [role];
};

const grantsByScope: Readonly<Record<NonNullable<Scope['grants']>, GrantsOfRequest>> = {
  body: ({ body }) => [body as Grants],
  role: grantsOfRole,
  roles: ({ body }, store) => {
    const directory = directoryOf(store.resources);
    const { roles = [] } = body as { readonly roles?: readonly string[] };
    return roles.flatMap((id) => directory.get('role', id) ?? []);
  },
  // Include the role that the user loses. Otherwise, a token could take away a role that it can't grant.
  'change of role': (parts, store) => {
    const directory = directoryOf(store.resources);
    const current = directory.get('user', parts.params['id']!)?.role.id;
    const lost = current === undefined ? undefined : directory.get('role', current);
    return [...grantsOfRole(parts, store), ...(lost === undefined ? [] : [lost])];
  },
  // The new token inherits the old token's capabilities unless the body narrows them. Regenerating also expires the old
  // token, so the caller needs the old token's capabilities in either case.
  token: ({ params, body }, store) => {
    const { newToken = {} } = body as { readonly newToken?: Grants };
    return [newToken, store.resources.get<StoredToken>('token', params['id']!) ?? {}];
  },
};

/** Returns the capabilities that a request grants to a token, role or user. Undefined for other endpoints. */
export function grantsOf(
  { grants }: Scope,
  parts: RequestParts,
  store: Store,
): readonly Grants[] | undefined {
  return grants === undefined ? undefined : grantsByScope[grants](parts, store);
}

/** Returns a document as it will be stored, including datasets that are named only in the current document. */
export function changedDocument(kind: ResourceKind, body: Document, current?: Document): Document {
  // Merge the update of an annotation, because omitted members stay unchanged. Other updates replace the document.
  return kind === 'annotation' ? { ...current, ...body } : body;
}
