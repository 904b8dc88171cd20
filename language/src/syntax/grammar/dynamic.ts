/**
 * Parses `dynamic(…)`. Its syntax is more lenient than JSON: single quotes, unquoted keys, trailing commas and
 * expressions are allowed.
 */
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import type { DynamicLiteral, DynamicValue } from '../tree.ts';
import { expression } from './expressions.ts';
import { list } from './lists.ts';
import { stringLiteral } from './operands.ts';

interface Entry {
  readonly key: string;
  readonly value: DynamicValue;
}

export function dynamicLiteral(c: Cursor): DynamicLiteral {
  const start = c.advance().start;
  const value = c.bracket(dynamicContent);
  return { kind: 'DynamicLiteral', value: value ?? nothing(c), start, end: c.lastEnd };
}

/** Parses one value. Values separated by commas are an array whose opening bracket is missing. */
function dynamicContent(c: Cursor): DynamicValue {
  const first = c.here();
  const value = dynamicValue(c);
  if (!c.at(',')) return value;
  c.report('missing-opening', first, { opening: '[', found: c.shown(first) });
  const items = [value];
  while (c.eat(',')) items.push(dynamicValue(c));
  c.eat(']');
  return { kind: 'array', items };
}

/** Parses and reports an array or object without `dynamic(…)`. */
export function bareDynamic(c: Cursor): DynamicLiteral {
  const open = c.token;
  c.report('bare-dynamic', open, { found: c.found });
  const value = dynamicValue(c);
  return { kind: 'DynamicLiteral', value, start: open.start, end: c.lastEnd };
}

function nothing(c: Cursor): DynamicValue {
  return { kind: 'scalar', expression: c.missing() };
}

function dynamicValue(c: Cursor): DynamicValue {
  if (c.at('[')) {
    return { kind: 'array', items: c.bracket(values) ?? [] };
  }
  if (c.at('{')) {
    return { kind: 'bag', entries: c.bracket(entries) ?? [] };
  }
  const text = c.kind === 'string' && c.at(']', 1);
  return { kind: 'scalar', expression: text ? stringLiteral(c) : expression(c) };
}

function values(c: Cursor): readonly DynamicValue[] {
  return c.atEnd ? [] : list(c, dynamicValue, { trailing: true });
}

function entries(c: Cursor): readonly Entry[] {
  return c.atEnd ? [] : list(c, entry, { trailing: true });
}

function entry(c: Cursor): Entry {
  const token = c.token;
  if (!['string', 'word', 'long'].includes(token.kind)) {
    c.expected('expected-key');
    return { key: '', value: nothing(c) };
  }
  c.advance();
  const written = c.textOf(token);
  const key = token.kind === 'string' ? decodeString(written) : written;
  if (!c.eat(':')) c.expected('expected-word', { word: ':' });
  return { key, value: dynamicValue(c) };
}
