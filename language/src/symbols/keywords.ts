/** Finds the keywords of an operator: its name and its clause keywords. */
import type { QueryTree } from '../syntax/tree.ts';
import { children, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { tokenFrom } from './tokenSearch.ts';

/** Returns the keywords of the operator whose name or clause keyword is at an offset, such as `summarize` and `by`. */
export function operatorWordsAt(tree: QueryTree, offset: number): Span[] {
  const node = pathAt(tree, offset).findLast((one) => 'keyword' in one);
  if (node === undefined || !('keyword' in node)) return [];
  const { keyword } = node;
  if (keyword.end <= keyword.start || node.kind === 'UnknownOperator') return [];
  const words: Span[] = [{ start: keyword.start, end: keyword.end }];
  const inside = children(node);
  let child = 0;
  for (let i = tokenFrom(tree.tokens, keyword.end); ; i++) {
    const token = tree.tokens[i];
    if (token === undefined || token.start >= node.end) break;
    while ((inside[child]?.end ?? Infinity) <= token.start) child++;
    const covered = (inside[child]?.start ?? Infinity) <= token.start;
    if (token.kind === 'word' && !covered) words.push({ start: token.start, end: token.end });
  }
  return words.some(({ start, end }) => start <= offset && offset <= end) ? words : [];
}
