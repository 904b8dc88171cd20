/**
 * Checks that formatted text has the same meaning: the same tokens and comments in order, and the same tree and
 * problems on the same tokens. One query also has to stay one query. The formatter checks its edits, because some
 * whitespace matters to the parser in broken queries.
 */
import { splitQueries } from '../queries.ts';
import { classAt, spaceClass } from '../syntax/characters.ts';
import type { Token } from '../syntax/tokens.ts';
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
    sameNodes(before, after, places) &&
    isOneQuery(before.text) === isOneQuery(after.text)
  );
}

/** Text with its tokens. */
type Lexed = Pick<QueryTree, 'text' | 'tokens'>;

export function sameTokens(before: Lexed, after: Lexed): boolean {
  return (
    before.tokens.length === after.tokens.length &&
    before.tokens.every((token, i) => {
      const other = after.tokens[i] as Token;
      return (
        token.kind === other.kind &&
        token.flaw === other.flaw &&
        textOf(before, token) === textOf(after, other)
      );
    })
  );
}

function textOf(tree: Lexed, { start, end }: Span): string {
  return tree.text.slice(start, end);
}

/** Returns whether both texts have the same comments at the same places. */
function sameComments(before: QueryTree, after: QueryTree, places: Places): boolean {
  const others = comments(after);
  const own = comments(before);
  return (
    own.length === others.length &&
    own.every((comment, i) => {
      const other = others[i] as typeof comment;
      const written = textOf(before, comment).trimEnd();
      return (
        written === textOf(after, other).trimEnd() &&
        places.before[comment.start] === places.after[other.start]
      );
    })
  );
}

function sameProblems(before: QueryTree, after: QueryTree, places: Places): boolean {
  return (
    before.problems.length === after.problems.length &&
    before.problems.every((problem, i) => {
      const other = after.problems[i] as typeof problem;
      return problem.code === other.code && samePlace(places, problem, other);
    })
  );
}

function sameNodes(before: QueryTree, after: QueryTree, places: Places): boolean {
  const same = (nodes: readonly AnyNode[], others: readonly AnyNode[]): boolean =>
    nodes.length === others.length &&
    nodes.every((node, i) => {
      const other = others[i] as AnyNode;
      return (
        node.kind === other.kind &&
        samePlace(places, node, other) &&
        same(children(node), children(other))
      );
    });
  return same(before.statements, after.statements);
}

/**
 * For each offset in a text, the number of preceding non-whitespace characters. Formatting never changes this number,
 * so it identifies the same place in both texts.
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
