// Removes a token from text of the other side before anybody sees or stores it: services and proxies repeat what they
// were sent.
import { TOKEN_PREFIXES } from '../../../api/src/plain.ts';

/** Shorter text is no secret, and would be found in ordinary words. */
const SECRET_CHARACTERS_MIN = 8;

/** Without the prefix of its kind as well, and in any case, since host names are lower case. */
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
