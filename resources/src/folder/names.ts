// Names of files that every file system takes, also where case does not matter, and that depend on nothing but the
// resource: they stay the same when others come or go.

const READABLE_LENGTH_MAX = 60;

/** Names that Windows keeps for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/;

/** What may be read of a name: lower-case letters, digits and hyphens. Empty where it has none of these. */
export function readable(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
}

/**
 * The name of the file of what `key` identifies. `label` is what a person calls it. The name has a digest of
 * the key, unless it is the key itself.
 */
export function stemOf(label: string, key: readonly string[], otherwise: string): string {
  const start = readable(label);
  if (key.length === 1 && key[0] === start && start !== '' && !DEVICES.test(start)) return start;
  return `${start || otherwise}-${digest(JSON.stringify(key))}`;
}

const DIGEST_LENGTH = 8;

/** 40 bits of FNV-1a over the UTF-16 code units, in digits and letters. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  const folded = (hash ^ (hash >> 40n)) & 0xffffffffffn;
  return folded.toString(32).padStart(DIGEST_LENGTH, '0');
}

/** The names of several that would have the same one: `name`, `name~2`, `name~3`. */
export function numbered(stem: string, index: number): string {
  return index === 0 ? stem : `${stem}~${index + 1}`;
}

/** A name without its number. */
export function withoutNumber(stem: string): string {
  return stem.replace(/~\d+$/, '');
}
