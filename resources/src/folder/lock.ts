// Reads and writes the lock: a digest of each resource as last exported or applied. If the digest of a deployment's
// resource isn't in it, somebody else changed the resource. A digest depends only on the document, so the same
// resources give the same lock on any deployment.
import { documentText } from '../documents.ts';
import type { Members } from '../value.ts';
import { type FolderFiles, hasText } from './files.ts';

export const LOCK = 'aplomb.lock.json';

export const LOCK_FORMAT = 1;

/** Digests by the JSON file's path. There are several if the lock has both sides of a merge conflict. */
export type Lock = ReadonlyMap<string, readonly string[]>;

/** Returns the digest of a folder's document: 16 hexadecimal digits. */
export function digestOf(document: Members): string {
  return hash64(documentText(document));
}

const LINE = /^[ \t]*"([^"\\\n]+\.json)": "([0-9a-f]{16})",?[ \t\r]*$/gm;

/**
 * Reads the lock; undefined if there is none. Reads it line by line, so that a merge conflict in it doesn't matter:
 * both sides were exported, and the conflicts to resolve are in the resources' files.
 */
export async function readLock(files: FolderFiles): Promise<Lock | undefined> {
  const listed = await files.list();
  if (!listed.some(({ path }) => path === LOCK)) return undefined;
  const lock = new Map<string, string[]>();
  for (const [, path = '', digest = ''] of ((await files.read(LOCK)) ?? '').matchAll(LINE)) {
    const digests = lock.get(path);
    if (digests === undefined) lock.set(path, [digest]);
    else digests.push(digest);
  }
  return lock;
}

const FORMAT_LINE = /^[ \t]*"format": (\d{1,9}),?[ \t\r]*$/m;

/** Returns whether the lock has a format other than this version's. A lock without a format has no digests either. */
export async function hasOtherLockFormat(files: FolderFiles): Promise<boolean> {
  const [, format = LOCK_FORMAT] = FORMAT_LINE.exec((await files.read(LOCK)) ?? '') ?? [];
  return Number(format) !== LOCK_FORMAT;
}

/** Returns the lock's text: one line per resource, sorted by path. */
export function lockText(lock: Lock): string {
  const lines = [...lock]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digests]) => [path, digests.at(-1)] as const);
  return `${JSON.stringify({ format: LOCK_FORMAT, resources: Object.fromEntries(lines) }, null, 2)}\n`;
}

/** Writes the lock unless it already has that text. */
export async function writeLock(files: FolderFiles, lock: Lock): Promise<void> {
  const text = lockText(lock);
  const listed = await files.list();
  const isThere = listed.some(({ path }) => path === LOCK);
  if (isThere && (await hasText(files, LOCK, text))) return;
  await files.write(LOCK, text);
}

/** Hashes UTF-16 code units with two 32-bit FNV-1a hashes with different factors. */
function hash64(text: string): string {
  let [first, second] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b);
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
