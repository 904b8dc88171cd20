/**
 * Writes names in query syntax. Column and dataset names may contain any character. Names that the grammar doesn't read
 * as one plain word are quoted in brackets.
 */
import { kustoScalarOperators } from './catalog/kusto.ts';
import { scalarOperators } from './catalog/scalarOperators.ts';

/** Words that need quotes as names in some positions. Quoting them everywhere is simpler and harmless. */
const keywords: ReadonlySet<string> = new Set([
  ...scalarOperators.flatMap(({ name }) => name.split(' ')),
  ...kustoScalarOperators.keys(),
  ...'asc by datatable declare desc evaluate externaldata false find let not null on'.split(' '),
  ...'print range search set table true typeof union with'.split(' '),
]);

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function isPlainName(name: string): boolean {
  return plainName.test(name) && !keywords.has(name);
}

/** Returns a name in query syntax: `status`, `['geo.city']`, `['it\'s']`. */
export function quoteName(name: string): string {
  return isPlainName(name) ? name : `[${quoteText(name)}]`;
}

/** Returns query syntax for a name with `*` wildcards: `sample-*`, `['geo.']*`. `dashes` allows `-` outside quotes. */
export function patternOf(name: string, dashes: boolean): string {
  const bare = dashes ? /^[A-Za-z_][\w-]*$/ : plainName;
  return name
    .split('*')
    .map((part) => (part === '' || bare.test(part) ? part : `[${quoteText(part)}]`))
    .join('*');
}

export type Quote = '"' | "'";

export function quoteText(text: string, quote: Quote = "'"): string {
  let escaped = '';
  for (const character of text)
    escaped += character === quote ? `\\${quote}` : (escapes.get(character) ?? character);
  return `${quote}${escaped}${quote}`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Quotes query text for a message. Text that starts with a quote or bracket isn't quoted again. */
export function inQuotes(text: string): string {
  return /^(?:['"`]|\[['"])/.test(text) ? text : `'${text}'`;
}
