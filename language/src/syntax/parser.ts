/** Parses text into a syntax tree. Parsing never fails: errors are in `problems`. */
import { packed } from '../append.ts';
import { inTextOrder } from '../text.ts';
import { Cursor } from './cursor.ts';
import { statements } from './grammar/statements.ts';
import type { QueryTree, SyntaxProblem } from './tree.ts';
import { hasLineBreak } from './trivia.ts';

/** Parses one query, which may have several statements. Spans are offsets in `text`. */
export function parseQuery(text: string): QueryTree {
  return parseWith(new Cursor(text));
}

/** Parses with a new cursor, from which tests can read the number of steps. */
export function parseWith(cursor: Cursor): QueryTree {
  const found = statements(cursor);
  const problems = packed(withoutEchoes(cursor.text, inTextOrder(cursor.problems)));
  return { text: cursor.text, tokens: cursor.tokens, statements: found, problems };
}

/**
 * Removes problems that result from a missing quote. A missing quote swaps code and strings on the rest of its line, so
 * the last string on the line is unterminated. The line's first problem is kept, because it is close to the missing
 * quote.
 */
function withoutEchoes(text: string, problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  if (problems.length < 2) return problems;
  const kept: SyntaxProblem[] = [];
  let line: SyntaxProblem[] = [];
  let seen = 0;
  const endLine = () => {
    const open = line.findIndex((problem) => problem.code === 'unterminated-string');
    kept.push(...(open > 1 ? [line[0] as SyntaxProblem, ...line.slice(open)] : line));
    line = [];
  };
  for (const problem of problems) {
    if (hasLineBreak(text, { start: seen, end: problem.start })) endLine();
    seen = problem.start;
    line.push(problem);
  }
  endLine();
  return kept;
}
