/** Addresses in a text that a reader may want to open: those in comments, and the files of externaldata. */
import type { QueryTree } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { walk } from '../syntax/visit.ts';
import { inTextOrder, type Span } from '../text.ts';

/** An address with where it is written. */
export interface Link extends Span {
  readonly url: string;
}

const known = new WeakMap<QueryTree, readonly Link[]>();

/** The addresses of a query, relative to it, in text order; found once for each tree. */
export function linksOf(tree: QueryTree): readonly Link[] {
  let links = known.get(tree);
  if (links === undefined) {
    links = findLinks(tree);
    known.set(tree, links);
  }
  return links;
}

function findLinks(tree: QueryTree): Link[] {
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
      // Only an address that is written out: one with escapes is not what stands in the text.
      const [link] = linksIn(tree.text, { start, end });
      if (link !== undefined && link.end === end - 1) links.push(link);
    }
  });
  return inTextOrder(links);
}

/** The addresses in the comments of a gap between tokens or queries. */
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

/** Without the full stop, comma or bracket that the sentence around an address goes on with. */
function trimmed(url: string): string {
  let end = url.length;
  // How many more brackets are closed than opened: those at the end belong to the sentence.
  let extra = url.split(')').length - url.split('(').length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' && extra > 0) extra--;
    else if (!'.,;:!?]}|*_'.includes(last)) break;
  }
  return url.slice(0, end);
}
