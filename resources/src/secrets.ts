// Masks the secrets of resources. Records are masked when they are received, except those read only to be sent back. A
// mask that is sent back keeps the stored secret.
import { type KindName, kinds } from './kinds.ts';
import { hasSecret, isAddress, isSecretName } from './secretHeuristics.ts';
import { equal, isMembers, type Members, type Path, valueAt, withValueAt } from './value.ts';

/** The text shown, stored and exported in place of a secret. */
export const MASK = '\u2022'.repeat(8);

/** Returns the paths of a document's or record's secrets, masked or not. Empty strings aren't secret. */
export function secretPaths(kind: KindName, document: unknown): Path[] {
  const { secrets, name } = kinds[kind];
  if (secrets === undefined || !isMembers(document)) return [];
  const { below, except, userTexts } = secrets;
  return valuePaths(document, [], isValue).filter((path) => {
    const value = valueAt(document, path);
    const [first, ...inner] = path;
    if (first !== below) return !matches(path, name.map(String)) && isLikelySecret(path, value);
    if (except.some((pattern) => matches(inner, pattern))) return false;
    if (userTexts.some((pattern) => matches(inner, pattern))) {
      const text = String(value);
      return text.includes(MASK) || hasSecret(text);
    }
    return isSecret(value) || (typeof value !== 'string' && hasSecretName(inner));
  });
}

/** Returns whether a value is a number or nonempty text. */
function isValue(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isNumber(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns whether a member outside the properties seems secret. No known kind of notifier has such a member. */
function isLikelySecret(path: Path, value: unknown): boolean {
  return hasSecretName(path) || (typeof value === 'string' && isAddress(value));
}

function hasSecretName(path: Path): boolean {
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}

/** Minimum digits of a secret number, which may be a telephone number, an account or a key. */
const SECRET_DIGITS_MIN = 6;

function isSecret(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return String(value).replace(/\D/g, '').length >= SECRET_DIGITS_MIN;
}

/** Returns the paths of values, other than objects and arrays, that fit. */
function valuePaths(value: unknown, before: Path, fits: (value: unknown) => boolean): Path[] {
  if (fits(value)) return [before];
  const parts = Array.isArray(value)
    ? [...value.entries()]
    : isMembers(value)
      ? Object.entries(value)
      : [];
  return parts.flatMap(([step, part]) => valuePaths(part, [...before, step], fits));
}

function matches(path: Path, pattern: readonly string[]): boolean {
  return (
    path.length === pattern.length &&
    pattern.every((step, index) => step === '*' || step === path[index])
  );
}

/** Returns the paths of all text that contains a mask. A mask that replaces no secret would be stored literally. */
export function maskedPaths(kind: KindName, document: unknown): Path[] {
  if (kinds[kind].secrets === undefined) return [];
  return valuePaths(document, [], (value) => typeof value === 'string' && value.includes(MASK));
}

/** Returns the paths of unmasked secrets. */
export function unmaskedPaths(kind: KindName, document: unknown): Path[] {
  return secretPaths(kind, document).filter((path) => valueAt(document, path) !== MASK);
}

/** Returns a record or document with each secret masked. */
export function maskSecrets(kind: KindName, record: Members): Members {
  return unmaskedPaths(kind, record).reduce(
    (result, path) => withValueAt(result, path, MASK) as Members,
    record,
  );
}

export interface RestoredDocument {
  readonly document: Members;
  /** The paths of masks without a known stored value. */
  readonly missing: readonly Path[];
}

/** Replaces each mask with the stored value. `stored` is an unmasked record, or a masked one for a dry run. */
export function restoreSecrets(
  kind: KindName,
  document: Members,
  stored: Members,
): RestoredDocument {
  const [given, there] = [maskSecrets(kind, document), maskSecrets(kind, stored)];
  const secrets = new Set(secretPaths(kind, stored).map(keyOf));
  let result = document;
  const missing: Path[] = [];
  for (const path of maskedPaths(kind, document)) {
    const isWhole = valueAt(document, path) === MASK && secrets.has(keyOf(path));
    if (isWhole && isSameItem(path, given, there)) {
      result = withValueAt(result, path, valueAt(stored, path)) as Members;
    } else if (isWhole || valueAt(document, path) !== valueAt(stored, path)) missing.push(path);
  }
  return { document: result, missing };
}

const keyOf = (path: Path) => JSON.stringify(path);

/** Returns whether the arrays on a path are unchanged. If reordered, a mask would belong to another item. */
function isSameItem(path: Path, given: Members, stored: Members): boolean {
  return path.every((step, index) => {
    if (typeof step !== 'number') return true;
    const [now, before] = [given, stored].map((one) => valueAt(one, path.slice(0, index)));
    const isAsLong = Array.isArray(now) && Array.isArray(before) && now.length === before.length;
    return isAsLong && equal(now[step], before[step]);
  });
}

/** Minimum length of text to mask. Shorter text occurs in ordinary words. */
const REPEATED_CHARACTERS_MIN = 4;

/** Masks a document's secrets in a message, because a service may repeat them when it refuses them. */
export function withoutSecrets(kind: KindName, message: string, document: unknown): string {
  const forms = unmaskedPaths(kind, document)
    .flatMap((path) => secretForms(String(valueAt(document, path))))
    .filter(({ length }) => length >= REPEATED_CHARACTERS_MIN)
    .toSorted((a, b) => b.length - a.length);
  const clean = forms.reduce((text, secret) => text.replaceAll(secret, MASK), message);
  return forms.reduce(maskTruncated, clean);
}

/** Masks a truncated secret at the end of a truncated text. */
function maskTruncated(text: string, secret: string): string {
  if (!text.endsWith('\u2026')) return text;
  const whole = text.slice(0, -1);
  for (let length = secret.length - 1; length >= REPEATED_CHARACTERS_MIN; length -= 1) {
    if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}${MASK}\u2026`;
  }
  return text;
}

/**
 * Returns the forms of a secret in messages: as is, in JSON, in a URL, its long words and, for a URL, the part after
 * the host and its long segments.
 */
function secretForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  // Lone surrogates can't be encoded.
  const whole = secret.replace(/[\ud800-\udfff]/gu, '');
  const isLong = ({ length }: string) => length >= PART_CHARACTERS_MIN;
  const forms = [secret, inJson, encodeURIComponent(whole), ...secret.split(/\s+/).filter(isLong)];
  const [, afterHost] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/is.exec(whole) ?? [];
  if (afterHost === undefined) return forms;
  const steps = afterHost.split(/[/?#&=]/).filter(isLong);
  return [...forms, encodeURI(whole), afterHost, encodeURI(afterHost), ...steps];
}

/** Minimum length of a part to mask. Shorter parts are ordinary words, such as `Bearer` and `webhooks`. */
const PART_CHARACTERS_MIN = 9;

/** Lists members for a message: `properties.slack.slackUrl`. */
export function formatPaths(paths: readonly Path[]): string {
  return paths.map((path) => path.join('.')).join(', ');
}
