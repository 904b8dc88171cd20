/** Secrets of tokens: random text behind the prefix of their kind, of which only a hash is kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TOKEN_PREFIXES, type TokenKind } from '../../../api/src/index.ts';

/** A new secret: 256 random bits. */
export function newSecret(kind: TokenKind): string {
  return TOKEN_PREFIXES[kind] + randomBytes(32).toString('base64url');
}

/** Whether text could be a secret that was made here. */
export function isSecret(kind: TokenKind, text: string): boolean {
  return (
    text.startsWith(TOKEN_PREFIXES[kind]) && RANDOM.test(text.slice(TOKEN_PREFIXES[kind].length))
  );
}

const RANDOM = /^[\w-]{43}$/;

/** SHA-256 in hex. A slow hash would add nothing, since a secret cannot be guessed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
