/** Parses operator options: `kind=inner` or `with (name=value, …)`. */
import type { Cursor } from '../cursor.ts';
import type { Expression, Name, Property } from '../tree.ts';
import { expression } from './expressions.ts';
import { list } from './lists.ts';
import { name, optName } from './names.ts';
import { postfix } from './unary.ts';

export function optWordOption(c: Cursor, option: string): Name | undefined {
  if (!c.at(option) || !c.at('=', 1)) return undefined;
  c.advance();
  c.advance();
  const value = name(c);
  return value.kind === 'Missing' ? undefined : value;
}

/** Parses consecutive `name=value` options, with or without commas. */
export function options(c: Cursor): Property[] {
  const found: Property[] = [];
  while (c.kind === 'word' && c.at('=', 1)) {
    const option = optName(c) as Name;
    c.advance();
    const value = c.kind === 'word' ? wordValue(c) : postfix(c);
    found.push({ kind: 'Property', name: option, value, start: option.start, end: c.lastEnd });
    if (c.at(',') && c.peek(1).kind === 'word' && c.at('=', 2)) c.advance();
  }
  return found;
}

/** Parses a word after `option=`. The word isn't a call, because a bracket after the word starts a table. */
function wordValue(c: Cursor): Expression {
  const token = c.advance();
  const { start, end } = token;
  const name = c.textOf(token);
  if (name !== 'true' && name !== 'false') {
    return { kind: 'NameReference', name, quoted: false, start, end };
  }
  return { kind: 'Literal', type: 'bool', value: name === 'true', start, end };
}

export function withProperties(c: Cursor): readonly Property[] {
  if (!c.eat('with')) return [];
  if (!c.at('(')) {
    c.expected('expected-opening', { opening: '(' });
    return [];
  }
  const found = c.bracket((c) => (c.atEnd ? [] : list(c, property))) ?? [];
  return found.filter((one) => one !== undefined);
}

function property(c: Cursor): Property | undefined {
  const option = optName(c);
  if (option === undefined) {
    c.expected('expected-name');
    return undefined;
  }
  if (!c.eat('=')) c.expected('expected-word', { word: '=' });
  const value = expression(c);
  return { kind: 'Property', name: option, value, start: option.start, end: c.lastEnd };
}
