/** Text to tree. There is no text that cannot be parsed: what is wrong with it is in `problems`. */

import { packed } from '../append.ts';
import { inTextOrder } from '../text.ts';
import { Cursor } from './cursor.ts';
import { statements } from './grammar/statements.ts';
import type { QueryTree, SyntaxProblem } from './tree.ts';
import { hasLineBreak } from './trivia.ts';

/** The tree of one query, which may have several statements; spans are offsets in `text`. */
export function parseQuery(text: string): QueryTree {
  return parseWith(new Cursor(text));
}

/** The same, of a cursor at its start: tests read from it what the parse has cost. */
export function parseWith(cursor: Cursor): QueryTree {
  const found = statements(cursor);
  const problems = packed(withoutEchoes(cursor.text, inTextOrder(cursor.problems)));
  return { text: cursor.text, tokens: cursor.tokens, statements: found, problems };
}

/**
 * Where a quote is missing, the strings behind it on its line are turned inside out, up to one without
 * its end. Of such a line the first problem is kept, which is next to the mistake, and the string's.
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
