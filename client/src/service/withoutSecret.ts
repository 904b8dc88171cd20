// Removes a token from text sent by services and proxies, which may quote the request.
import { TOKEN_PREFIXES } from '../../../api/src/plain.ts';

/** The minimum length of a secret to remove. Shorter text may occur in ordinary words. */
const SECRET_CHARACTERS_MIN = 8;

/** Removes the token, with and without its prefix. Ignores case, because host names are lower case. */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (secret === undefined) return text;
  const prefix = Object.values(TOKEN_PREFIXES).find((one) => secret.startsWith(one)) ?? '';
  const random = secret.slice(prefix.length);
  const parts = [secret, random].filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  return parts.reduce((clean, part) => replaceAnyCase(clean, part), text);
}

function replaceAnyCase(text: string, part: string): string {
  const literal = part.replace(/[^\w]/g, '\\$&');
  return text.replace(new RegExp(literal, 'gi'), '•••');
}
