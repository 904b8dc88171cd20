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
  if (document === undefined) throw notFound(kind, id);
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
export async function changeDocument<T extends Document>(
  store: Store,
  kind: ResourceKind,
  id: string,
  change: (current: T) => T,
): Promise<T> {
  const changed = await store.resources.change<T>(kind, id, (current) => {
    if (current === undefined) throw notFound(kind, id);
    return change(current);
  });
  return changed as T;
}

export async function deleteDocument(
  store: Store,
  kind: ResourceKind,
  id: string,
): Promise<undefined> {
  await store.resources.change(kind, id, (current) => {
    if (current === undefined) throw notFound(kind, id);
    return undefined;
  });
}

function notFound(kind: ResourceKind, id: string): ApiError {
  return new ApiError('resource-not-found', { kind, id: JSON.stringify(id) });
}
