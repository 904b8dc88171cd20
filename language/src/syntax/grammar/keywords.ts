/** Words that have a meaning by their place. None of them is reserved: each may also be a name. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import { operatorNames } from './operators.ts';

/** Words that end an expression where a bracket was left open, as `by` does in `count( by status`. */
const clauseWords = new Set('as asc by desc from nulls on step to with'.split(' '));

/** Whether the current word starts a clause of an operator, going by what follows. */
export function atClause(c: Cursor): boolean {
  return (
    c.kind === 'word' &&
    clauseWords.has(c.textOf(c.token)) &&
    (['word', 'end', 'string', 'long', 'timespan'].includes(c.peek(1).kind) || c.at('[', 1))
  );
}

const swappable = new Set('as by from on step to with'.split(' '));

/** Whether a word stands here that starts a clause, though perhaps not one of this operator. */
export function atAnyClause(c: Cursor): boolean {
  return c.kind === 'word' && swappable.has(c.textOf(c.token)) && atClause(c);
}

/**
 * Passes the word of a clause that an operator must have; true when the clause can be read. The word of
 * another clause in its place is reported and passed. What lacks at the end of the stage is reported at
 * the operator, where one sees it.
 */
export function needClause(c: Cursor, word: string, keyword: Span): boolean {
  if (c.eat(word)) return true;
  if (c.atEnd) {
    c.report('expected-word', keyword, { word, after: c.after, found: c.found });
    return false;
  }
  c.expected('expected-word', { word });
  const swapped = c.kind === 'word' && swappable.has(c.textOf(c.token));
  if (!swapped || !(atAnyClause(c) || c.at('(', 1))) return false;
  c.advance();
  return true;
}

/** The length in tokens of the operator's name that starts here: `project-away` is three; 0 for no word. */
export function operatorNameLength(c: Cursor): number {
  if (c.kind !== 'word') return 0;
  let length = 1;
  while (
    c.at('-', length) &&
    c.isAdjacent(length) &&
    c.isAdjacent(length + 1) &&
    c.peek(length + 1).kind === 'word'
  ) {
    length += 2;
  }
  return length;
}

/** The operator's name that starts here, or an empty text. */
export function operatorNameHere(c: Cursor): string {
  const length = operatorNameLength(c);
  return length === 0 ? '' : c.text.slice(c.token.start, c.peek(length - 1).end);
}

/**
 * Whether what is left in a stage starts with an operator, so that only its pipe is missing. Asked only
 * where nothing else can go on.
 */
export function atMissingPipe(c: Cursor): boolean {
  if (c.kind !== 'word') return false;
  const length = operatorNameLength(c);
  if (!operatorNames.has(c.text.slice(c.token.start, c.peek(length - 1).end))) return false;
  // A column may be called `count`; then it is assigned to, listed, read from, or is a call after all.
  const next = c.peek(length);
  if (next.kind !== 'punctuation') return true;
  return !'=,.)'.includes(c.textOf(next)) && !(c.at('(', length) && c.isAdjacent(length));
}
