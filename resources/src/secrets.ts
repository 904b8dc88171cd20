// Secrets of resources: no record leaves the calls of its service with one. In their place is a mask, and what is
// sent back with it keeps what is stored.
import { type KindName, kinds } from './kinds.ts';
import { hasSecret, isAddress, isSecretName } from './looksSecret.ts';
import { equal, isMembers, type Members, type Path, valueAt, withValueAt } from './value.ts';

/** What is shown, kept and exported in place of a secret. */
export const MASK = '\u2022'.repeat(8);

/** The paths of the secrets of a document or record, masked or not. Empty strings are none. */
export function secretPaths(kind: KindName, document: unknown): Path[] {
  const { secrets, name } = kinds[kind];
  if (secrets === undefined || !isMembers(document)) return [];
  const { below, except, written } = secrets;
  return valuePaths(document, [], isValue).filter((path) => {
    const value = valueAt(document, path);
    const [first, ...inner] = path;
    if (first !== below) return !matches(path, name.map(String)) && seemsSecret(path, value);
    if (except.some((pattern) => matches(inner, pattern))) return false;
    if (written.some((pattern) => matches(inner, pattern))) {
      const text = String(value);
      return text.includes(MASK) || hasSecret(text);
    }
    return isSecret(value) || (typeof value !== 'string' && hasSecretName(inner));
  });
}

/** Text and numbers, except the empty text. */
function isValue(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isNumber(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** For members outside of the properties, which no known kind of notifier has. */
function seemsSecret(path: Path, value: unknown): boolean {
  return hasSecretName(path) || (typeof value === 'string' && isAddress(value));
}

function hasSecretName(path: Path): boolean {
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}

/** Numbers with as many digits may be those of a telephone, an account or a key. */
const SECRET_DIGITS_MIN = 6;

function isSecret(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return String(value).replace(/\D/g, '').length >= SECRET_DIGITS_MIN;
}

/** The paths of values that are neither objects nor arrays and fit. */
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

/**
 * The paths of all text that contains a mask: dots that replace no secret would be stored as they are.
 */
export function maskedPaths(kind: KindName, document: unknown): Path[] {
  if (kinds[kind].secrets === undefined) return [];
  return valuePaths(document, [], (value) => typeof value === 'string' && value.includes(MASK));
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
  /** Masks that no stored value is known for. */
  readonly missing: readonly Path[];
}

/** A document with what is stored in place of each mask; `stored` is a whole record, or a masked one to try it. */
export function unmasked(kind: KindName, document: Members, stored: Members): Unmasked {
  const [given, there] = [masked(kind, document), masked(kind, stored)];
  const secrets = new Set(secretPaths(kind, stored).map(keyOf));
  let result = document;
  const missing: Path[] = [];
  for (const path of maskedPaths(kind, document)) {
    const isWhole = valueAt(document, path) === MASK && secrets.has(keyOf(path));
    if (isWhole && isSamePlace(path, given, there)) {
      result = withValueAt(result, path, valueAt(stored, path)) as Members;
    } else if (isWhole || valueAt(document, path) !== valueAt(stored, path)) missing.push(path);
  }
  return { document: result, missing };
}

const keyOf = (path: Path) => JSON.stringify(path);

/** Whether the lists that a path goes through are as they were: in another order, a mask is that of another item. */
function isSamePlace(path: Path, given: Members, stored: Members): boolean {
  return path.every((step, index) => {
    if (typeof step !== 'number') return true;
    const [now, before] = [given, stored].map((one) => valueAt(one, path.slice(0, index)));
    const isAsLong = Array.isArray(now) && Array.isArray(before) && now.length === before.length;
    return isAsLong && equal(now[step], before[step]);
  });
}

/** Shorter text is found in ordinary words. */
const REPEATED_CHARACTERS_MIN = 4;

/** A message without the secrets of a document, which a service may repeat when it refuses them. */
export function withoutSecrets(kind: KindName, message: string, document: unknown): string {
  const forms = barePaths(kind, document)
    .flatMap((path) => formsOf(String(valueAt(document, path))))
    .filter(({ length }) => length >= REPEATED_CHARACTERS_MIN)
    .toSorted((a, b) => b.length - a.length);
  const clean = forms.reduce((text, secret) => text.replaceAll(secret, MASK), message);
  return forms.reduce(withoutBeginning, clean);
}

/** The text without the beginning of a secret that it was cut off in. */
function withoutBeginning(text: string, secret: string): string {
  if (!text.endsWith('\u2026')) return text;
  const whole = text.slice(0, -1);
  for (let length = secret.length - 1; length >= REPEATED_CHARACTERS_MIN; length -= 1) {
    if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}${MASK}\u2026`;
  }
  return text;
}

/** A secret as messages have it: in JSON, in an address, and of an address also what follows the host. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  // Halves of a character have no encoding.
  const whole = secret.replace(/[\ud800-\udfff]/gu, '');
  const isLong = ({ length }: string) => length >= PART_CHARACTERS_MIN;
  const forms = [secret, inJson, encodeURIComponent(whole), ...secret.split(/\s+/).filter(isLong)];
  const [, afterHost] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/is.exec(whole) ?? [];
  if (afterHost === undefined) return forms;
  const steps = afterHost.split(/[/?#&=]/).filter(isLong);
  return [...forms, encodeURI(whole), afterHost, encodeURI(afterHost), ...steps];
}

/** Shorter parts are words that are not secret, such as `Bearer` and `webhooks`. */
const PART_CHARACTERS_MIN = 9;

/** The members that a message is about: `properties.slack.slackUrl`. */
export function pathsInWords(paths: readonly Path[]): string {
  return paths.map((path) => path.join('.')).join(', ');
}
