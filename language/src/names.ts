/**
 * How a name is written in a query. Names of columns and datasets may hold any character; one that the
 * grammar would not read as one plain word is put in brackets and quotes.
 */
import { scalarOperators } from './catalog/index.ts';
import { kustoScalarOperators } from './catalog/kusto.ts';

/**
 * Words that the grammar reads as something other than a name in at least one place where a name may
 * stand. APL reserves no word, so a few more quotes than needed are harmless and one too few is not.
 */
const keywords: ReadonlySet<string> = new Set([
  ...scalarOperators.flatMap(({ name }) => name.split(' ')),
  ...kustoScalarOperators.keys(),
  ...'asc by datatable declare desc evaluate externaldata false find let not null on'.split(' '),
  ...'print range search set table true typeof union with'.split(' '),
]);

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether the name may stand in a query as it is. */
export function isPlainName(name: string): boolean {
  return plainName.test(name) && !keywords.has(name);
}

/** The name as a query writes it: `status`, `['geo.city']`, `['it\'s']`. */
export function quoteName(name: string): string {
  return isPlainName(name) ? name : `[${quoteText(name)}]`;
}

/**
 * A name with stars in it as the pattern that was meant: `sample-*`, `['geo.']*`. Names of datasets may have
 * dashes outside of quotes there (`dashes`).
 */
export function patternOf(name: string, dashes: boolean): string {
  const bare = dashes ? /^[A-Za-z_][\w-]*$/ : plainName;
  return name
    .split('*')
    .map((part) => (part === '' || bare.test(part) ? part : `[${quoteText(part)}]`))
    .join('*');
}

/** The characters that a text is written in. */
export type Quote = '"' | "'";

/** A string literal of the text. */
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

/** Text of a query in single quotes for a message, unless quotes or brackets set it off already. */
export function inQuotes(text: string): string {
  return /^(?:['"`]|\[['"])/.test(text) ? text : `'${text}'`;
}
