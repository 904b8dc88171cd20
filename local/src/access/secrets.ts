/** Generates and hashes token secrets, which consist of a prefix and random characters. Only hashes are stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TOKEN_PREFIXES, type TokenKind } from '../../../api/src/index.ts';

export function newSecret(kind: TokenKind): string {
  return TOKEN_PREFIXES[kind] + randomBytes(32).toString('base64url');
}

export function isSecret(kind: TokenKind, text: string): boolean {
  return (
    text.startsWith(TOKEN_PREFIXES[kind]) && RANDOM.test(text.slice(TOKEN_PREFIXES[kind].length))
  );
}

const RANDOM = /^[\w-]{43}$/;

/** Secrets are random, so a slow password hash isn't necessary. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
