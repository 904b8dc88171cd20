/** Values that are addresses of the web: http and https only, and nothing but the address. */

const maxAddress = 4_000;

/** The address as a browser reads it, or undefined for any other text. */
export function webAddress(text: string): string | undefined {
  if (text.length > maxAddress || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  // A name before the host is how an address poses as another.
  return url.username === '' && url.password === '' ? url.href : undefined;
}
