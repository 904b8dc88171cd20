/** What the endpoints of the stored resources have in common: list, get, make, change, delete. */
import { randomBytes } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Document, ResourceKind } from '../store/resources.ts';
import type { Store } from '../store/store.ts';

/** A new identifier: URL-safe, not guessable. */
export function newId(prefix = ''): string {
  return prefix + randomBytes(15).toString('base64url');
}

export function getDocument<T extends Document>(store: Store, kind: ResourceKind, id: string): T {
  const document = store.resources.get<T>(kind, id);
  if (document === undefined) throw missing(store, kind, id);
  return document;
}

/** Stores a new resource. Throws when there is one of that identifier. */
export async function addDocument<T extends Document>(
  store: Store,
  kind: ResourceKind,
  id: string,
  document: T,
): Promise<T> {
  await store.resources.change<T>(kind, id, (current) => {
    if (current !== undefined) throw new ApiError('resource-exists', { kind, id });
    return document;
  });
  return document;
}

/** Changes a stored resource. Throws when there is none. */
export function changeDocument<T extends Document>(
  store: Store,
  kind: ResourceKind,
  id: string,
  change: (current: T) => T,
): Promise<T> {
  return store.resources.change<T>(kind, id, (current) => {
    if (current === undefined) throw missing(store, kind, id);
    return change(current);
  });
}

export async function deleteDocument(
  store: Store,
  kind: ResourceKind,
  id: string,
): Promise<undefined> {
  if (!(await store.resources.delete(kind, id))) throw missing(store, kind, id);
  return undefined;
}

/** The refusal of an identifier that nothing has. */
export function notThere(kind: string, id: string): ApiError {
  return new ApiError('resource-not-found', { kind, id: JSON.stringify(id) });
}

/** The refusal of a body that refers to something that does not exist. */
export function referenceMissing(kind: string, id: string): ApiError {
  return new ApiError('reference-missing', { kind, id: JSON.stringify(id) });
}

/** Throws where another of the kind has the name already. */
export function checkUnique(kind: string, name: string, others: readonly string[]): void {
  if (others.includes(name)) throw new ApiError('name-taken', { kind, name: JSON.stringify(name) });
}

function missing(store: Store, kind: ResourceKind, id: string): ApiError {
  const unreadable = store.resources.isUnreadable(kind, id);
  const values = { kind, id: JSON.stringify(id) };
  return new ApiError(unreadable ? 'resource-unreadable' : 'resource-not-found', values);
}
