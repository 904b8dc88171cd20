/**
 * Checks that formatting preserved the tokens, comments, tree and problems, because whitespace can affect the parser in
 * broken queries. Also checks that formatting didn't split one query into several.
 */
import { splitQueries } from '../queries.ts';
import { classAt, spaceClass } from '../syntax/characters.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { comments } from '../syntax/trivia.ts';
import { type AnyNode, children } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

export function meansTheSame(before: QueryTree, after: QueryTree): boolean {
  const places = { before: placesIn(before.text), after: placesIn(after.text) };
  return (
    sameTokens(before, after) &&
    sameComments(before, after, places) &&
    sameProblems(before, after, places) &&
    sameNodes(before.statements, after.statements, places) &&
    isOneQuery(before.text) === isOneQuery(after.text)
  );
}

type Lexed = Pick<QueryTree, 'text' | 'tokens'>;

function pairwise<T>(list: readonly T[], others: readonly T[], same: (a: T, b: T) => boolean) {
  return list.length === others.length && list.every((item, i) => same(item, others[i] as T));
}

export function sameTokens(before: Lexed, after: Lexed): boolean {
  return pairwise(
    before.tokens,
    after.tokens,
    (token, other) =>
      token.kind === other.kind &&
      token.flaw === other.flaw &&
      textOf(before, token) === textOf(after, other),
  );
}

function textOf(tree: Lexed, { start, end }: Span): string {
  return tree.text.slice(start, end);
}

function sameComments(before: QueryTree, after: QueryTree, places: Places): boolean {
  return pairwise(
    comments(before),
    comments(after),
    (comment, other) =>
      textOf(before, comment).trimEnd() === textOf(after, other).trimEnd() &&
      places.before[comment.start] === places.after[other.start],
  );
}

function sameProblems(before: QueryTree, after: QueryTree, places: Places): boolean {
  return pairwise(
    before.problems,
    after.problems,
    (problem, other) => problem.code === other.code && samePlace(places, problem, other),
  );
}

function sameNodes(nodes: readonly AnyNode[], others: readonly AnyNode[], places: Places): boolean {
  return pairwise(
    nodes,
    others,
    (node, other) =>
      node.kind === other.kind &&
      samePlace(places, node, other) &&
      sameNodes(children(node), children(other), places),
  );
}

/**
 * Maps each offset to the number of preceding non-whitespace characters, in the text before and after formatting.
 * Formatting changes only whitespace, so these numbers identify the same place in both texts.
 */
interface Places {
  readonly before: Int32Array;
  readonly after: Int32Array;
}

function placesIn(text: string): Int32Array {
  const places = new Int32Array(text.length + 1);
  for (let at = 0, count = 0; at < text.length; at++) {
    places[at] = count;
    if (classAt(text, at) !== spaceClass) count++;
    places[at + 1] = count;
  }
  return places;
}

function samePlace({ before, after }: Places, span: Span, other: Span): boolean {
  return before[span.start] === after[other.start] && before[span.end] === after[other.end];
}

function isOneQuery(text: string): boolean {
  const [first, second] = splitQueries(text);
  return second === undefined && first?.start === 0 && first.end === text.length;
}
