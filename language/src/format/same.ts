/**
 * Whether formatted text means what it meant: the same tokens and comments in the same order, and the
 * same tree and problems on the same tokens. The formatter asks before it gives its edits away, since
 * the parser reads some white space where a query is broken.
 */
import { splitQueries } from '../queries.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { comments } from '../syntax/trivia.ts';
import { type AnyNode, children } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

export function meansTheSame(before: QueryTree, after: QueryTree): boolean {
  return (
    sameTokens(before, after) &&
    sameComments(before, after) &&
    sameProblems(before, after) &&
    sameNodes(before, after) &&
    isOneQuery(before.text) === isOneQuery(after.text)
  );
}

/** A text with its tokens. */
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

/** Comments are the same when they read the same between the same tokens. */
function sameComments(before: QueryTree, after: QueryTree): boolean {
  return listed(before) === listed(after);
}

function listed(tree: QueryTree): string {
  const at = places(tree);
  return comments(tree)
    .map((comment) => `${at(comment.start).token} ${textOf(tree, comment).trimEnd()}`)
    .join('\n');
}

function sameProblems(before: QueryTree, after: QueryTree): boolean {
  const [here, there] = [places(before), places(after)];
  return (
    before.problems.length === after.problems.length &&
    before.problems.every((problem, i) => {
      const other = after.problems[i] as typeof problem;
      return problem.code === other.code && samePlace(here, there, problem, other);
    })
  );
}

function sameNodes(before: QueryTree, after: QueryTree): boolean {
  const [here, there] = [places(before), places(after)];
  const same = (nodes: readonly AnyNode[], others: readonly AnyNode[]): boolean =>
    nodes.length === others.length &&
    nodes.every((node, i) => {
      const other = others[i] as AnyNode;
      return (
        node.kind === other.kind &&
        samePlace(here, there, node, other) &&
        same(children(node), children(other))
      );
    });
  return same(before.statements, after.statements);
}

/** A place as the last token that starts at it or before, and how far behind that start it is. */
interface Place {
  readonly token: number;
  readonly beyond: number;
}

type Places = (offset: number) => Place;

/** A span ends with the character before its end, since a token may start right behind it or not. */
function samePlace(here: Places, there: Places, span: Span, other: Span): boolean {
  const empty = span.start === span.end;
  return (
    empty === (other.start === other.end) &&
    (empty || equal(here(span.start), there(other.start))) &&
    equal(here(span.end - 1), there(other.end - 1))
  );
}

function equal(one: Place, other: Place): boolean {
  return one.token === other.token && one.beyond === other.beyond;
}

function places({ tokens }: QueryTree): Places {
  return (offset) => {
    let low = 0;
    let high = tokens.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((tokens[middle] as Token).start <= offset) low = middle + 1;
      else high = middle;
    }
    const token = low - 1;
    return { token, beyond: token < 0 ? 0 : offset - (tokens[token] as Token).start };
  };
}

function isOneQuery(text: string): boolean {
  const [first, second] = splitQueries(text);
  return second === undefined && first?.start === 0 && first.end === text.length;
}
