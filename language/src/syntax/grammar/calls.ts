/** Parses calls of functions and aggregates. */
import { none } from '../../append.ts';
import { aggregateNamed, functionNamed } from '../../catalog/index.ts';
import type { Cursor } from '../cursor.ts';
import type { Call, Expression, Name } from '../tree.ts';
import { expression } from './expressions.ts';
import { atClause } from './keywords.ts';
import { list } from './lists.ts';
import { atQuotedName, optName } from './names.ts';
import { subquery } from './operands.ts';

/** Parses a call after its name. The current token is `(`. */
export function call(c: Cursor, name: Name): Call {
  const start = c.token.start;
  const pipeline = c.opensPipeline;
  const closed = c.boundaryOf(c.index).closed;
  const options = closed ? {} : { stop: atClause, endsBefore: beforeNamed };
  const value = c.bracket((c): readonly Expression[] => {
    if (c.atEnd || options.stop?.(c) === true) return none;
    // Keep the pipeline in the tree so that the binder can report it. Functions don't accept tables.
    return pipeline
      ? [subquery(c)]
      : list(c, namesArguments(name) ? argument : expression, options);
  });
  const end = c.lastEnd;
  const parentheses = { start, end };
  const args = value ?? none;
  return { kind: 'Call', name, arguments: args, parentheses, closed, start: name.start, end };
}

export function atNamed(c: Cursor, ahead = 0): boolean {
  if (c.peek(ahead).kind === 'word') return c.at('=', ahead + 1);
  return atQuotedName(c, ahead) && c.at(']', ahead + 2) && c.at('=', ahead + 3);
}

/** A named item after the comma belongs to the outer list, so the call's `)` is missing. */
const beforeNamed = (c: Cursor): boolean => atNamed(c, 1);

/**
 * Returns whether `name = value` among a call's arguments may name an argument. In all other calls it is a comparison
 * with a single `=`. Unknown functions are assumed to accept names.
 */
function namesArguments({ name }: Name): boolean {
  return functionNamed(name) === undefined || aggregateNamed(name)?.spreads === 'columns';
}

function argument(c: Cursor): Expression {
  if (!atNamed(c)) return expression(c);
  const name = optName(c) as Name;
  c.advance();
  const value = expression(c);
  return { kind: 'NamedArgument', name, value, start: name.start, end: c.lastEnd };
}
