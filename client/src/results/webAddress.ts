/** Recognizes values that are web addresses: a single http or https URL and nothing else. */

const maxAddress = 4_000;

/** Returns the normalized URL, or undefined if the text is not a web address. */
export function webAddress(text: string): string | undefined {
  if (text.length > maxAddress || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  // Reject a user name ahead of the host, because it can disguise the real host.
  return url.username === '' && url.password === '' ? url.href : undefined;
}
