/** Reads, creates, changes and deletes stored resources. */
import { randomBytes } from 'node:crypto';
import type { Message } from '../../../api/src/index.ts';
import { type DirectoryRecords, directoryOf } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';
import { replyWithNotices } from './documentQueries.ts';
import type { Call, Reply } from './handler.ts';

type WriteCall = Pick<Call<'createMonitor'>, 'store' | 'caller' | 'signal' | 'now'>;
type GetCall = Pick<Call<'getMonitor'>, 'store' | 'params'>;

/** Rules for documents whose IDs are assigned by the deployment. */
interface DocumentRules<T extends Document, New, Update> {
  readonly idPrefix?: string;
  /** Returns notices about the queries in a body. Throws an ApiError if the body is invalid. */
  readonly check?: (
    body: New | Update,
    call: WriteCall,
  ) => Promise<readonly Message[]> | readonly Message[];
  readonly created: (body: New, id: string, call: WriteCall) => T;
  readonly updated: (body: Update, current: T) => T;
}

export function documentHandlers<T extends Document, New, Update = New>(
  kind: ResourceKind,
  { idPrefix, check = () => [], created, updated }: DocumentRules<T, New, Update>,
) {
  return {
    get: ({ store, params }: GetCall): T => getDocument<T>(store, kind, params.id),
    create: async (call: WriteCall & { readonly body: New }): Promise<T | Reply> => {
      const { store, body } = call;
      const messages = await check(body, call);
      const id = newId(idPrefix);
      const document = await addDocument<T>(store, kind, id, created(body, id, call));
      return withNotices(document, messages);
    },
    update: async (call: WriteCall & GetCall & { readonly body: Update }): Promise<T | Reply> => {
      const { store, params, body } = call;
      const messages = await check(body, call);
      const document = await changeDocument<T>(store, kind, params.id, (current) =>
        updated(body, current),
      );
      return withNotices(document, messages);
    },
    remove: ({ store, params }: GetCall) => deleteDocument(store, kind, params.id),
  };
}

const withNotices = <T extends Document>(document: T, messages: readonly Message[]): T | Reply =>
  messages.length === 0 ? document : replyWithNotices(document, messages);

/** The identifier is URL-safe and can't be guessed. */
export function newId(prefix = ''): string {
  return prefix + randomBytes(15).toString('base64url');
}

export function getDocument<T extends Document>(store: Store, kind: ResourceKind, id: string): T {
  const document = store.resources.get<T>(kind, id);
  if (document === undefined) throw missingError(store, kind, id);
  return document;
}

/** Stores a new document. Throws an ApiError if the identifier is taken. */
export async function addDocument<T extends Document>(
  store: Store,
  kind: ResourceKind,
  id: string,
  document: T,
): Promise<T> {
  await store.resources.change<T>(kind, id, (current) => {
    if (current === undefined) return document;
    throw new ApiError('resource-exists', { kind, id: JSON.stringify(id) });
  });
  return document;
}

/** Changes a stored document. Throws an ApiError if the document does not exist. */
export function changeDocument<T extends Document>(
  store: Store,
  kind: ResourceKind,
  id: string,
  change: (current: T) => T,
): Promise<T> {
  return store.resources.change<T>(kind, id, (current) => {
    if (current === undefined) throw missingError(store, kind, id);
    return change(current);
  });
}

export async function deleteDocument(
  store: Store,
  kind: ResourceKind,
  id: string,
  check?: () => void,
): Promise<undefined> {
  if (!(await store.resources.delete(kind, id, check))) throw missingError(store, kind, id);
  return undefined;
}

export function notFoundError(kind: string, id: string): ApiError {
  return new ApiError('resource-not-found', { kind, id: JSON.stringify(id) });
}

export function referenceMissing(kind: string, id: string): ApiError {
  return new ApiError('reference-missing', { kind, id: JSON.stringify(id) });
}

export function nameTaken(kind: string, name: string): ApiError {
  return new ApiError('name-taken', { kind, name: JSON.stringify(name) });
}

/** Returns a user, role or group. Throws an ApiError if the record doesn't exist. */
export function recordOf<Kind extends keyof DirectoryRecords>(
  { resources }: Store,
  kind: Kind,
  id: string,
): DirectoryRecords[Kind] {
  const record = directoryOf(resources).get(kind, id);
  if (record === undefined) throw notFoundError(kind, id);
  return record;
}

/** Checks the users or roles that a body names. Throws an ApiError if one doesn't exist. */
export function checkReferences(
  { resources }: Store,
  kind: 'user' | 'role',
  ids: readonly string[] = [],
): void {
  const missing = ids.find((id) => directoryOf(resources).get(kind, id) === undefined);
  if (missing !== undefined) throw referenceMissing(kind, missing);
}

function missingError(store: Store, kind: ResourceKind, id: string): ApiError {
  const unreadable = store.resources.isUnreadable(kind, id);
  const values = { kind, id: JSON.stringify(id) };
  return new ApiError(unreadable ? 'resource-unreadable' : 'resource-not-found', values);
}
