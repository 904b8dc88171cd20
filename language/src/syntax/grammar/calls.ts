/** Calls of functions and aggregates. */
import { none } from '../../append.ts';
import type { Cursor } from '../cursor.ts';
import type { Call, Expression, Name } from '../tree.ts';
import { expression } from './expressions.ts';
import { atClause } from './keywords.ts';
import { list } from './lists.ts';
import { atQuotedName, optName } from './names.ts';
import { subquery } from './operands.ts';

/** The arguments of a call whose name is passed already; the current token is `(`. */
export function call(c: Cursor, name: Name): Call {
  const start = c.token.start;
  const pipeline = c.opensPipeline;
  const closed = c.boundaryOf(c.index).closed;
  const options = closed ? {} : { stop: atClause, endsBefore: beforeNamed };
  const value = c.bracket((c): readonly Expression[] => {
    if (c.atEnd || options.stop?.(c) === true) return none;
    // APL has no function over tables; the tree keeps the pipeline for whoever explains that.
    return pipeline ? [subquery(c)] : list(c, argument, options);
  });
  return {
    kind: 'Call',
    name,
    arguments: value ?? none,
    parentheses: { start, end: c.lastEnd },
    closed,
    start: name.start,
    end: c.lastEnd,
  };
}

/** Whether `name =` starts here. */
export function atNamed(c: Cursor, ahead = 0): boolean {
  if (c.peek(ahead).kind === 'word') return c.at('=', ahead + 1);
  return atQuotedName(c, ahead) && c.at(']', ahead + 2) && c.at('=', ahead + 3);
}

/** Where a call lacks its bracket, a name with a value behind the next comma belongs to the list around it. */
const beforeNamed = (c: Cursor): boolean => atNamed(c, 1);

function argument(c: Cursor): Expression {
  if (!atNamed(c)) return expression(c);
  const name = optName(c) as Name;
  c.advance();
  const value = expression(c);
  return { kind: 'NamedArgument', name, value, start: name.start, end: c.lastEnd };
}
