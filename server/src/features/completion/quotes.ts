/** The quote character of a document's texts, so that a value that is inserted looks like those around it. */
import type { QueryAnalysis, quoteText } from '../../../../language/src/index.ts';
import type { Snapshot } from '../../documents.ts';

export type Quote = NonNullable<Parameters<typeof quoteText>[1]>;

/** How many more texts of a query are in double quotes than in single ones, counted once. */
const surplus = new WeakMap<QueryAnalysis, number>();

/** The quote that most texts of the document have; single where it has none, or as many of both. */
export function quoteUsed({ queries }: Pick<Snapshot, 'queries'>): Quote {
  let double = 0;
  for (const { analysis } of queries) {
    let count = surplus.get(analysis);
    if (count === undefined) {
      count = doubleSurplus(analysis);
      surplus.set(analysis, count);
    }
    double += count;
  }
  return double > 0 ? '"' : "'";
}

function doubleSurplus({ tree: { text, tokens } }: QueryAnalysis): number {
  let double = 0;
  for (const [index, { kind, start }] of tokens.entries()) {
    if (kind !== 'string') continue;
    // The quotes of a name in brackets are another habit: many write ['logs'] and "GET".
    const before = tokens[index - 1];
    if (before !== undefined && text.charAt(before.start) === '[') continue;
    const quote = text.charAt(text.charAt(start) === '@' ? start + 1 : start);
    if (quote === '"') double++;
    else if (quote === "'") double--;
  }
  return double;
}
