// Creates file names that are valid on every file system, including those that ignore case. Except for the number of a
// repeated name, they depend only on the resource, so they don't change when others are added or removed.

const READABLE_LENGTH_MAX = 60;

/** Device names reserved by Windows, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/;

/** Returns the readable part of a name: lowercase letters, digits and hyphens. Empty if it has none. */
export function readablePart(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
}

/**
 * Returns the file name of the resource identified by `key`. `label` is its display name. The name contains a digest of
 * the key, unless it equals the key.
 */
export function stemOf(label: string, key: readonly string[], fallback: string): string {
  const start = readablePart(label);
  if (key.length === 1 && key[0] === start && start !== '' && !DEVICES.test(start)) return start;
  return `${start || fallback}-${digest(JSON.stringify(key))}`;
}

const DIGEST_LENGTH = 8;

/** Returns 40 bits of FNV-1a over the UTF-16 code units, as digits and letters. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  const folded = (hash ^ (hash >> 40n)) & 0xffffffffffn;
  return folded.toString(32).padStart(DIGEST_LENGTH, '0');
}

/** Numbers resources that would have the same name: `name`, `name~2`, `name~3`. */
export function withNumber(stem: string, index: number): string {
  return index === 0 ? stem : `${stem}~${index + 1}`;
}

/** Removes the number from a name. */
export function withoutNumber(stem: string): string {
  return stem.replace(/~\d+$/, '');
}
