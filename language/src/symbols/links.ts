/** Finds links to open: URLs in comments, and the URLs of files that externaldata reads. */
import { oncePer } from '../maps.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { walk } from '../syntax/visit.ts';
import { inTextOrder, type Span } from '../text.ts';

export interface Link extends Span {
  readonly url: string;
}

/** Returns a query's links. Offsets are relative to the query. */
export const linksOf = oncePer((tree: QueryTree): readonly Link[] => {
  const links: Link[] = [];
  let end = 0;
  for (const token of tree.tokens) {
    if (token.start > end)
      links.push(...linksInComments(tree.text, { start: end, end: token.start }));
    end = token.end;
  }
  walk(tree.statements, (node) => {
    if (node.kind !== 'ExternaldataSource') return;
    for (const { start, end } of node.urls) {
      // Skip a URL with escape sequences, because its source text isn't the URL.
      const [link] = linksIn(tree.text, { start, end });
      if (link !== undefined && link.end === end - 1) links.push(link);
    }
  });
  return inTextOrder(links);
});

export function linksInComments(text: string, gap: Span): Link[] {
  return triviaIn(text, gap)
    .filter(({ kind }) => kind === 'comment')
    .flatMap((comment) => linksIn(text, comment));
}

const address = /\bhttps?:\/\/[^\s<>"'`\\]+/g;

function linksIn(text: string, { start, end }: Span): Link[] {
  const links: Link[] = [];
  for (const match of text.slice(start, end).matchAll(address)) {
    const url = trimmed(match[0]);
    if (/\/\/./.test(url)) {
      links.push({ url, start: start + match.index, end: start + match.index + url.length });
    }
  }
  return links;
}

/** Removes trailing punctuation and closing brackets that belong to the sentence around a URL. */
function trimmed(url: string): string {
  let end = url.length;
  // Unmatched closing parentheses at the end of the URL belong to the sentence, so count them.
  let extra = url.split(')').length - url.split('(').length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' && extra > 0) extra--;
    else if (!'.,;:!?]}|*_'.includes(last)) break;
  }
  return url.slice(0, end);
}
