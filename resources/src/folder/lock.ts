// The file that records what a folder knows of the deployment: a digest of each resource as it was exported or
// applied last. If the digest of a resource on the deployment is not in it, somebody else changed the resource. A digest
// depends on the document alone, so the same resources give the same file on any deployment.
import { documentText } from '../documents.ts';
import type { Members } from '../value.ts';
import { type FolderFiles, hasText } from './files.ts';

export const LOCK = 'aplomb.lock.json';

export const LOCK_FORMAT = 1;

/** Digests by the path of the JSON file: several where the file has both sides of a merge conflict. */
export type Lock = ReadonlyMap<string, readonly string[]>;

/** A digest of a document as a folder has it: 16 hexadecimal digits. */
export function digestOf(document: Members): string {
  return hash64(documentText(document));
}

const LINE = /^[ \t]*"([^"\\\n]+\.json)": "([0-9a-f]{16})",?[ \t\r]*$/gm;

/**
 * What the folder knows; undefined where it has no such file. Read by lines, so that a merge conflict in it does not
 * matter: both sides were exported, and the conflicts to resolve are in the files of the resources.
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

/** Whether the file has another format than this version writes; one without a format has no digests either. */
export async function hasOtherLockFormat(files: FolderFiles): Promise<boolean> {
  const [, format = LOCK_FORMAT] = FORMAT_LINE.exec((await files.read(LOCK)) ?? '') ?? [];
  return Number(format) !== LOCK_FORMAT;
}

/** The text of the file: one line for each resource, sorted by path. */
export function lockText(lock: Lock): string {
  const lines = [...lock]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digests]) => [path, digests.at(-1)] as const);
  return `${JSON.stringify({ format: LOCK_FORMAT, resources: Object.fromEntries(lines) }, null, 2)}\n`;
}

/** Writes the file unless it has that text. */
export async function writeLock(files: FolderFiles, lock: Lock): Promise<void> {
  const text = lockText(lock);
  const listed = await files.list();
  const isThere = listed.some(({ path }) => path === LOCK);
  if (isThere && (await hasText(files, LOCK, text))) return;
  await files.write(LOCK, text);
}

/** Two FNV-1a hashes of 32 bits with different factors, over the UTF-16 code units. */
function hash64(text: string): string {
  let [first, second] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b);
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
