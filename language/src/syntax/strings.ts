/** Decodes string tokens: removes quotes and resolves escapes. */

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  0: '\0',
  b: '\b',
  f: '\f',
  v: '\v',
};

const escapePattern = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g;

/** Returns the value of a string literal. An unknown escape keeps its backslash, as in regular expressions. */
export function decodeString(written: string): string {
  if (written.startsWith('@')) {
    const quote = written.charAt(1);
    const closed = written.length > 2 && written.endsWith(quote);
    return written.slice(2, closed ? -1 : undefined).replaceAll(quote + quote, quote);
  }
  const quote = written.charAt(0);
  const straight = quote === '"' || quote === "'";
  const closed = written.length > 1 && (!straight || endsWithQuote(written, quote));
  const inside = written.slice(1, closed ? -1 : undefined);
  if (!inside.includes('\\')) return inside;
  return inside.replace(escapePattern, (whole, unicode, hex, other) => {
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return escapes[other] ?? ('\\"\''.includes(other) ? other : whole);
  });
}

/** Returns whether a string token ends with a closing quote. An escaped quote isn't a closing quote. */
function endsWithQuote(written: string, quote: string): boolean {
  if (!written.endsWith(quote)) return false;
  let backslashes = 0;
  while (written.charAt(written.length - 2 - backslashes) === '\\') backslashes++;
  return backslashes % 2 === 0;
}
