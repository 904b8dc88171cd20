/** Recognizes keywords by their position. Keywords aren't reserved, so each may also be a name. */
import { isTransformName } from '../../operators/names.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';

/** Words that end an expression even inside an unclosed bracket, such as `by` in `count( by status`. */
const clauseWords = new Set('as asc by desc from nulls on step to with'.split(' '));

/** Returns whether an operator's clause starts here. */
export function atClause(c: Cursor): boolean {
  return (
    c.kind === 'word' &&
    clauseWords.has(c.textOf(c.token)) &&
    (['word', 'end', 'string', 'long', 'timespan'].includes(c.peek(1).kind) || c.at('[', 1))
  );
}

const swappable = new Set('as by from on step to with'.split(' '));

/** Returns whether a clause starts here, except for the sort words `asc`, `desc` and `nulls`. */
export function atAnyClause(c: Cursor): boolean {
  return c.kind === 'word' && swappable.has(c.textOf(c.token)) && atClause(c);
}

/**
 * Consumes the keyword of a required clause, and returns whether the clause can be parsed. At the end of a stage, a
 * missing clause is reported at the operator, where the problem is visible.
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

export function operatorNameHere(c: Cursor): string {
  const length = operatorNameLength(c);
  return length === 0 ? '' : c.text.slice(c.token.start, c.peek(length - 1).end);
}

/** Returns whether an operator without a pipe starts here. Call this function only where no other syntax is valid. */
export function atMissingPipe(c: Cursor): boolean {
  if (c.kind !== 'word') return false;
  const length = operatorNameLength(c);
  if (!isTransformName(c.text.slice(c.token.start, c.peek(length - 1).end))) return false;
  // A word before `=`, `,`, `.` or `)` is a column, such as `count`. A word directly before `(` is a call.
  const next = c.peek(length);
  if (next.kind !== 'punctuation') return true;
  return !'=,.)'.includes(c.textOf(next)) && !(c.at('(', length) && c.isAdjacent(length));
}
