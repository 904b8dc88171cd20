/** Parses lists of `name = value` and of plain values, as in extend, project, summarize and print. */
import { defined } from '../../defined.ts';
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import type { Assignment, Name } from '../tree.ts';
import { atNamed } from './calls.ts';
import { expression } from './expressions.ts';
import { list } from './lists.ts';
import { looseName, optName } from './names.ts';

/** Parses one or more assignments. `stop` returns whether the list ends at the current token. */
export function assignments(c: Cursor, stop?: (c: Cursor) => boolean): readonly Assignment[] {
  const item = (c: Cursor): Assignment => namedBehind(c, assignment(c));
  return stop === undefined ? list(c, item) : list(c, item, { stop });
}

/** Reports `value as name`, which is SQL syntax, and parses it as `name = value`. */
function namedBehind(c: Cursor, item: Assignment): Assignment {
  const following = c.peek(2);
  const ends = following.kind === 'end' || c.at(',', 2) || c.at('by', 2) || c.at('|', 2);
  if (!c.at('as') || c.peek(1).kind !== 'word' || item.name !== undefined || !ends) return item;
  const { start } = c.token;
  const { end } = c.peek(1);
  const found = c.textOf(c.peek(1));
  c.report('name-behind', { start, end }, { name: found });
  c.advance();
  const name = optName(c) as Name;
  return { ...item, name, end };
}

export function assignment(c: Cursor): Assignment {
  const start = c.token.start;
  if (atNamed(c)) return named(c, start, [optName(c) as Name]);
  if (c.kind === 'string' && c.at('=', 1)) {
    const { start, end } = c.token;
    const name = decodeString(c.textOf(c.token));
    c.report('text-as-name', c.token, { name });
    c.advance();
    return named(c, start, [{ kind: 'Name', name, quoted: true, start, end }]);
  }
  const loose = looseName(c, '-.');
  if (loose !== undefined && c.at('=', loose.length)) {
    const span = { start, end: c.peek(loose.length - 1).end };
    c.report('quote-name', span, { name: loose.name });
    c.jump(c.index + loose.length);
    return named(c, start, [{ kind: 'Name', name: loose.name, quoted: false, ...span }]);
  }
  if (c.at('(') && atTuple(c)) {
    const names = (c.bracket((c) => list(c, optName)) ?? []).filter((name) => name !== undefined);
    return named(c, start, names);
  }
  const value = expression(c);
  return { kind: 'Assignment', expression: value, start: value.start, end: c.lastEnd };
}

/** Returns whether an assignment such as `(a, b) = value` starts here. */
function atTuple(c: Cursor): boolean {
  const after = c.tokens[c.closeOf(c.index)];
  return c.boundaryOf(c.index).closed && after !== undefined && c.textOf(after) === '=';
}

function named(c: Cursor, start: number, names: readonly Name[]): Assignment {
  c.advance();
  const value = expression(c);
  const given = defined({ name: names[0], names: names.length > 1 ? names : undefined });
  return { kind: 'Assignment', ...given, expression: value, start, end: c.lastEnd };
}
