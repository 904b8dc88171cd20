/** Evaluates the scopes in endpoint definitions: the dataset that a request names and the capabilities it grants. */
import { REQUEST_HEADERS, type Scope } from '../../../api/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import type { Grants } from './capabilities.ts';
import { directoryOf } from './directory.ts';
import type { StoredToken } from './storedToken.ts';

export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type DatasetLocation = NonNullable<Scope['dataset']>['in'];

const datasetNames: Readonly<Record<DatasetLocation, (parts: RequestParts) => string>> = {
  path: ({ params }) => params['dataset_id'] ?? params['dataset_name'] ?? '',
  query: ({ query }) => String(query['dataset']),
  header: ({ headers }) => String(headers[REQUEST_HEADERS.dataset] ?? ''),
};

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
  // Include the lost role, so that a token can't take away a role that it can't grant.
  'change of role': (parts, store) => {
    const directory = directoryOf(store.resources);
    const current = directory.get('user', parts.params['id']!)?.role.id;
    const lost = current === undefined ? undefined : directory.get('role', current);
    return [...grantsOfRole(parts, store), ...(lost === undefined ? [] : [lost])];
  },
  // The new token inherits the old token's capabilities by default, and regenerating expires the old token, so the
  // caller needs those capabilities.
  token: ({ params, body }, store) => {
    const { newToken = {} } = body as { readonly newToken?: Grants };
    return [newToken, store.resources.get<StoredToken>('token', params['id']!) ?? {}];
  },
};

export function grantsOf(
  { grants }: Scope,
  parts: RequestParts,
  store: Store,
): readonly Grants[] | undefined {
  return grants === undefined ? undefined : grantsByScope[grants](parts, store);
}

/** Returns the document as it will be after the request. */
export function changedDocument(kind: ResourceKind, body: Document, current?: Document): Document {
  // An update of an annotation keeps omitted members. Other updates replace the document.
  return kind === 'annotation' ? { ...current, ...body } : body;
}
