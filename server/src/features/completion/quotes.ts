/** Finds the quote character used in a document, so that inserted values match the existing strings. */
import { oncePer, type QueryAnalysis, type quoteText } from '../../../../language/src/index.ts';
import type { Snapshot } from '../../documents.ts';

export type Quote = NonNullable<Parameters<typeof quoteText>[1]>;

/** Returns the more common quote of a document, or the single quote if both are equally common. */
export function quoteUsed({ queries }: Pick<Snapshot, 'queries'>): Quote {
  let double = 0;
  for (const { analysis } of queries) double += surplus(analysis);
  return double > 0 ? '"' : "'";
}

/** Returns the number of double-quoted strings minus the number of single-quoted strings. */
const surplus = oncePer(({ tree: { text, tokens } }: QueryAnalysis): number => {
  let double = 0;
  for (const [index, { kind, start }] of tokens.entries()) {
    if (kind !== 'string') continue;
    // Skip quotes in bracketed names, because many users write ['logs'] but "GET".
    const before = tokens[index - 1];
    if (before !== undefined && text.charAt(before.start) === '[') continue;
    const quote = text.charAt(text.charAt(start) === '@' ? start + 1 : start);
    if (quote === '"') double++;
    else if (quote === "'") double--;
  }
  return double;
});
