/** Parses and reports SQL syntax: `is null`, `not in`, `between a and b`, `in a, b`. */
import { scalarOperatorNamed } from '../../catalog/index.ts';
import type { Cursor } from '../cursor.ts';
import type { Token } from '../tokens.ts';
import type { Binary, Expression } from '../tree.ts';
import { binary } from './expressions.ts';
import { operand } from './operands.ts';
import { type BinaryOperator, binaryOperators } from './precedence.ts';

/** Returns whether `is null` or `is not null` starts here. `is null(` starts a call. */
export function atNullTest(c: Cursor): boolean {
  if (!atWord(c, 'is', 0)) return false;
  return atWord(c, 'null', atWord(c, 'not', 1) ? 2 : 1) && !c.at('(', atWord(c, 'not', 1) ? 3 : 2);
}

/** Returns whether the token at `ahead` is the given word in any case, because SQL ignores case. */
export function atWord(c: Cursor, word: string, ahead: number): boolean {
  const token = ahead === 0 ? c.token : c.peek(ahead);
  if (token.kind !== 'word' || token.end - token.start !== word.length) return false;
  return c.textOf(token).toLowerCase() === word;
}

/** Returns the operator meant by `not in`, `not contains` and similar forms, which APL spells with `!`. */
export function negatedOperator(c: Cursor): BinaryOperator | undefined {
  if (!atWord(c, 'not', 0)) return undefined;
  const second = c.textOf(c.peek(1));
  const found = binaryOperators.get(`!${second.toLowerCase()}`);
  // Reject two-word operators such as `!matches regex`, because the second word may be missing.
  if (found === undefined || found.second !== undefined) return undefined;
  // If APL lacks the operator, the binder reports it and suggests an alternative.
  if (scalarOperatorNamed(found.name) === undefined) return { ...found, second };
  return { ...found, second, foreign: 'foreign-operator' };
}

/** Parses `is null` after `left` as a comparison with null. */
export function nullTest(c: Cursor, left: Expression): Binary {
  const { start } = c.token;
  const not = atWord(c, 'not', 1);
  const last = c.peek(not ? 2 : 1);
  const operatorSpan = { start, end: last.end };
  c.report('foreign-operator', operatorSpan, {
    found: not ? 'is not null' : 'is null',
    instead: not ? 'isnotnull(…)' : 'isnull(…)',
  });
  for (let words = not ? 3 : 2; words > 0; words--) c.advance();
  const right = {
    kind: 'Literal',
    type: 'null',
    value: null,
    start: last.start,
    end: last.end,
  } as const;
  return {
    kind: 'Binary',
    operator: not ? '!=' : '==',
    operatorSpan,
    left,
    right,
    ...c.since(left),
  };
}

type Ends = readonly [low: Expression, high: Expression];

/** Parses `low and high` after `between`. Returns undefined if `and` is missing. */
export function rangeOfSql(c: Cursor, least: number): Ends | undefined {
  return isRangeOfSql(c) ? endsOfSql(c, binary(c, least), least, '(', ')') : undefined;
}

/** Parses `and high` after the lower bound of a range. The suggested fix encloses the range in `open` and `close`. */
export function endsOfSql(c: Cursor, low: Expression, least: number, open = '', close = ''): Ends {
  const problems = c.problems.length;
  if (!c.eat('and')) c.expected('expected-word', { word: '..' });
  const high = binary(c, least);
  if (high.kind !== 'Missing' && c.problems.length === problems) {
    const span = { start: low.start, end: high.end };
    const instead = `${open}${c.shown(low)} .. ${c.shown(high)}${close}`;
    c.report('foreign-operator', span, { found: c.shown(span), instead });
  }
  return [low, high];
}

const longestEnd = 12;

function isRangeOfSql(c: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; ahead <= longestEnd; ahead++) {
    if (c.peek(ahead).kind === 'end') return false;
    if (c.at('(', ahead)) depth++;
    else if (c.at(')', ahead)) depth--;
    else if (depth === 0 && c.at('..', ahead)) return false;
    else if (depth === 0 && ahead > 0 && c.at('and', ahead)) return true;
  }
  return false;
}

/** Parses the values after `first` in a list without brackets, as in `in 'a', 'b'`. Returns all values. */
export function valuesOfSql(c: Cursor, first: Expression): readonly Expression[] {
  const behind = c.tokens[c.limit];
  // In brackets, the next value may be another argument of the enclosing call.
  const nested = behind !== undefined && ')]}'.includes(c.textOf(behind)) && behind.kind !== 'end';
  if (first.kind !== 'Literal' || nested || !atNextConstant(c)) return [first];
  const items: Expression[] = [first];
  while (atNextConstant(c)) {
    c.advance();
    items.push(operand(c));
  }
  const span = { start: first.start, end: c.lastEnd };
  const found = c.shown(span);
  c.report('foreign-operator', span, { found, instead: `(${found})` });
  return items;
}

function atNextConstant(c: Cursor): boolean {
  return c.at(',') && isConstant(c.peek(1)) && !c.at('=', 2);
}

function isConstant({ kind }: Token): boolean {
  return kind === 'string' || kind === 'long' || kind === 'real' || kind === 'timespan';
}
