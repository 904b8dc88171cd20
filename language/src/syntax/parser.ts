/** Text to tree. There is no text that cannot be parsed: what is wrong with it is in `problems`. */
import { Cursor } from './cursor.ts';
import { statements } from './grammar/statements.ts';
import type { QueryTree } from './tree.ts';

/** The tree of one query, which may have several statements; spans are offsets in `text`. */
export function parseQuery(text: string): QueryTree {
  return parseWith(new Cursor(text));
}

/** The same, of a cursor at its start: tests read from it what the parse has cost. */
export function parseWith(cursor: Cursor): QueryTree {
  const found = statements(cursor);
  const problems = cursor.problems.sort((a, b) => a.start - b.start || a.end - b.end);
  return { text: cursor.text, tokens: cursor.tokens, statements: found, problems };
}
