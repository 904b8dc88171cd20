/** Parses literals that name their type: `datetime(2025-01-15)`, `timespan(1.5h)`, `int(null)`, `typeof(long)`. */
import { defined } from '../../defined.ts';
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import { isTimeOfDay, parseDatetime, parseTimespan } from '../times.ts';
import type { Token } from '../tokens.ts';
import type { Literal, LiteralType, TypeLiteral } from '../tree.ts';
import { typeName } from './names.ts';

const literalTypes: ReadonlyMap<string, LiteralType> = new Map([
  ['bool', 'bool'],
  ['boolean', 'bool'],
  ['date', 'datetime'],
  ['datetime', 'datetime'],
  ['double', 'real'],
  ['int', 'long'],
  ['long', 'long'],
  ['real', 'real'],
  ['string', 'string'],
  ['time', 'timespan'],
  ['timespan', 'timespan'],
]);

const longestLiteral = 80;
const nanosecondsPerDay = 86_400_000_000_000n;

/** Parses a literal after its type name `word`. Returns undefined if the brackets contain no constant. */
export function typedLiteral(c: Cursor, word: string): Literal | undefined {
  const type = literalTypes.get(word);
  if (type === undefined) return undefined;
  const open = c.index + 1;
  const first = c.peek(2);
  const boundary = c.boundaryOf(open).index;
  const inside = constantText(c, first, c.tokens[boundary - 1]);
  if (inside === undefined) return undefined;
  const value = inside === 'null' ? null : readConstant(type, first, inside, c);
  if (value === undefined) return undefined;
  const start = c.advance().start;
  c.bracket(() => {
    if (value === unreadable) {
      const span = { start: first.start, end: first.start + inside.length };
      c.report(type === 'datetime' ? 'bad-datetime' : 'bad-timespan', span, { found: inside });
    }
    // Call `advance`, because `jump` wouldn't report the missing quote.
    if (first.flaw !== undefined) c.advance();
    c.jump(c.limit);
  });
  const known = value === unreadable ? undefined : value;
  const nullOf = value === null ? word : undefined;
  return { kind: 'Literal', type, value: known, ...defined({ nullOf }), start, end: c.lastEnd };
}

const unreadable = Symbol('unreadable');

type Constant = bigint | number | boolean | string | typeof unreadable | undefined;

function constantText(c: Cursor, first: Token, last: Token | undefined): string | undefined {
  if (last === undefined || last.end <= first.start) return undefined;
  if (last.end - first.start > longestLiteral) return undefined;
  return c.text.slice(first.start, last.end);
}

function readConstant(type: LiteralType, first: Token, inside: string, c: Cursor): Constant {
  const quoted = first.kind === 'string' && first.end - first.start === inside.length;
  if (type === 'datetime' || type === 'timespan') {
    const plain = first.kind !== 'string' && /^[-+.]?\s*\d/.test(inside);
    if (!plain && !quoted) return undefined;
    const text = quoted ? decodeString(c.textOf(first)) : inside;
    return type === 'datetime' ? readDatetime(text, quoted) : readTimespan(text, quoted);
  }
  if (type === 'bool') return bools.get(inside);
  if (type === 'long')
    return /^[-+]?\s*(\d{1,19}|0[xX][0-9a-fA-F]{1,16})$/.test(inside)
      ? readLong(inside)
      : undefined;
  if (type === 'real') return readReal(inside);
  return undefined;
}

/**
 * Returns a datetime's value. Returns the unchanged text of a time of day or of a quoted datetime in an unknown format,
 * because only the service can interpret it. Returns `unreadable` for any other text.
 */
function readDatetime(text: string, quoted: boolean): Constant {
  return parseDatetime(text) ?? (quoted || isTimeOfDay(text) ? text : unreadable);
}

/** Returns a timespan's value. A number without quotes or a unit is a number of days, as in Kusto. */
function readTimespan(text: string, quoted: boolean): Constant {
  const days = quoted ? null : /^\d{1,9}$/.exec(text);
  return days === null ? (parseTimespan(text) ?? unreadable) : BigInt(days[0]) * nanosecondsPerDay;
}

function readLong(text: string): bigint {
  const digits = text.replace(/^[-+]\s*/, '');
  return text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

const namedReals: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['NaN', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
]);

const bools: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

function readReal(text: string): number | undefined {
  const named = namedReals.get(text);
  if (named !== undefined) return named;
  const compact = text.replace(/^([-+])\s+/, '$1');
  return /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(compact) ? Number(compact) : undefined;
}

export function typeLiteral(c: Cursor): TypeLiteral {
  const start = c.advance().start;
  const type = c.bracket(typeName);
  const span = { start, end: c.lastEnd };
  const none = { kind: 'TypeName', name: '', start: span.end, end: span.end } as const;
  return { kind: 'TypeLiteral', type: type ?? none, ...span };
}
