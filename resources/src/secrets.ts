// Secrets of resources: no record leaves the calls of its service with one. In their place is a mask, and what is
// sent back with it keeps what is stored.
import { type KindName, kinds } from './kinds.ts';
import { isMembers, type Members, type Path, valueAt, withValueAt } from './value.ts';

/** What is shown, kept and exported in place of a secret. */
export const MASK = '\u2022'.repeat(8);

/** The paths of the secrets of a document or record, masked or not. Empty strings are none. */
export function secretPaths(kind: KindName, document: unknown): Path[] {
  const { secrets } = kinds[kind];
  if (secrets === undefined || !isMembers(document)) return [];
  return textPaths(valueAt(document, [secrets.below]), []).flatMap((path) =>
    secrets.except.some((pattern) => matches(path, pattern)) ? [] : [[secrets.below, ...path]],
  );
}

function textPaths(value: unknown, before: Path): Path[] {
  if (typeof value === 'string') return value === '' ? [] : [before];
  const parts = Array.isArray(value)
    ? [...value.entries()]
    : isMembers(value)
      ? Object.entries(value)
      : [];
  return parts.flatMap(([step, part]) => textPaths(part, [...before, step]));
}

function matches(path: Path, pattern: readonly string[]): boolean {
  return (
    path.length === pattern.length &&
    pattern.every((step, index) => step === '*' || step === path[index])
  );
}

/** The paths that have a mask. */
export function maskedPaths(kind: KindName, document: unknown): Path[] {
  return secretPaths(kind, document).filter((path) => valueAt(document, path) === MASK);
}

/** The paths whose secret is written out. */
export function barePaths(kind: KindName, document: unknown): Path[] {
  return secretPaths(kind, document).filter((path) => valueAt(document, path) !== MASK);
}

/** A record or document with a mask in place of each secret. */
export function masked(kind: KindName, record: Members): Members {
  return barePaths(kind, record).reduce(
    (result, path) => withValueAt(result, path, MASK) as Members,
    record,
  );
}

export interface Unmasked {
  readonly document: Members;
  /** Masks in whose place nothing is stored. */
  readonly missing: readonly Path[];
}

/** A document with what is stored in place of each mask. */
export function unmasked(kind: KindName, document: Members, stored: Members): Unmasked {
  const paths = maskedPaths(kind, document);
  const isThere = (path: Path) => typeof valueAt(stored, path) === 'string';
  return {
    document: paths
      .filter(isThere)
      .reduce(
        (result, path) => withValueAt(result, path, valueAt(stored, path)) as Members,
        document,
      ),
    missing: paths.filter((path) => !isThere(path)),
  };
}

/** A message without the secrets of a document, which a service may repeat when it refuses them. */
export function withoutSecrets(kind: KindName, message: string, document: unknown): string {
  return barePaths(kind, document)
    .map((path) => String(valueAt(document, path)))
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, MASK), message);
}

/** The members that a message is about: `properties.slack.slackUrl`. */
export function pathsInWords(paths: readonly Path[]): string {
  return paths.map((path) => path.join('.')).join(', ');
}
