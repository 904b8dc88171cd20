/** Parses number and timespan literals. */
import type { Cursor } from '../cursor.ts';
import { parseTimespan } from '../times.ts';
import type { Token } from '../tokens.ts';
import type { Literal } from '../tree.ts';

/** The maximum number of characters in a 64-bit integer, including the prefix of a hexadecimal integer. */
const maxDigits = 20;

/** 2^63 exceeds the maximum long by one. It is accepted because it is part of the literal -2^63. */
const limitOfLong = 1n << 63n;

export function numberLiteral(c: Cursor): Literal {
  const token = c.token;
  const { start, end } = token;
  const text = c.textOf(token);
  if (token.kind === 'real') {
    c.advance();
    return { kind: 'Literal', type: 'real', value: Number(text), start, end };
  }
  const value = longValue(token, text);
  if (value === undefined && token.flaw === undefined)
    c.report('number-range', token, { found: c.found });
  c.advance();
  return { kind: 'Literal', type: 'long', value, start, end };
}

function longValue(token: Token, text: string): bigint | undefined {
  if (token.flaw !== undefined) return undefined;
  const digits = text.length > maxDigits ? text.replace(/^0+(?=\d)/, '') : text;
  if (digits.length > maxDigits) return undefined;
  const value = BigInt(digits);
  return value > limitOfLong ? undefined : value;
}

export function timespanLiteral(c: Cursor): Literal {
  const token = c.advance();
  const known = token.flaw === undefined && token.end - token.start <= 2 * maxDigits;
  const value = known ? parseTimespan(c.textOf(token)) : undefined;
  if (!known && token.flaw === undefined) {
    c.report('bad-timespan', token, { found: c.shown(token) });
  }
  return { kind: 'Literal', type: 'timespan', value, start: token.start, end: token.end };
}
