/** Parses names and patterns of columns, datasets and options. */
import { defined } from '../../defined.ts';
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import type { Token } from '../tokens.ts';
import type { ColumnDeclaration, DatasetPattern, Missing, Name, TypeName } from '../tree.ts';

/**
 * Returns whether a quoted name, `['…']` or `["…"]`, starts here, even if a closing bracket or an opening quote is
 * missing.
 */
export function atQuotedName(c: Cursor, ahead = 0): boolean {
  if (!c.at('[', ahead)) return false;
  if (c.peek(ahead + 1).kind !== 'string') return lacksFirstQuote(c, ahead);
  return !c.at(',', ahead + 2) || !c.boundaryOf(c.index + ahead).closed;
}

/** Returns whether the bracket contains a name without its opening quote, as in `[http-logs']`. */
function lacksFirstQuote(c: Cursor, ahead: number): boolean {
  if (c.peek(ahead + 1).kind !== 'word' || !c.isAdjacent(ahead + 1)) return false;
  const { index, closed } = c.boundaryOf(c.index + ahead);
  const last = c.tokens[index - 1];
  return closed && last?.flaw === 'missing-quote' && last.end === last.start + 1;
}

export function atName(c: Cursor): boolean {
  return c.kind === 'word' || atQuotedName(c);
}

export function optName(c: Cursor): Name | undefined {
  const token = c.token;
  if (token.kind === 'word') {
    c.advance();
    const { start, end } = token;
    return { kind: 'Name', name: c.textOf(token), quoted: false, start, end };
  }
  return atQuotedName(c) ? quotedName(c) : undefined;
}

function quotedName(c: Cursor): Name {
  const start = c.token.start;
  let name = '';
  c.bracket(() => {
    const { token } = c;
    if (token.kind === 'string') {
      name = decodeString(c.textOf(c.advance()));
      return;
    }
    const quote = c.tokens[c.limit - 1] as Token;
    name = c.text.slice(token.start, quote.start);
    c.report('missing-quote', { start, end: quote.end }, { found: name });
    c.jump(c.limit);
  });
  return { kind: 'Name', name, quoted: true, start, end: c.lastEnd };
}

export function name(c: Cursor): Name | Missing {
  const found = optName(c);
  if (found !== undefined) return found;
  c.expected('expected-name');
  return c.missing();
}

/** Parses a type name. Reports a problem and returns undefined if none starts here. */
export function typeName(c: Cursor): TypeName | undefined {
  if (c.kind !== 'word') {
    c.expected('expected-type');
    return undefined;
  }
  const token = c.advance();
  return { kind: 'TypeName', name: c.textOf(token), start: token.start, end: token.end };
}

/** Parses `name` or `name:type`. Reports a problem and returns undefined if no name starts here. */
export function columnDeclaration(c: Cursor): ColumnDeclaration | undefined {
  const found = name(c);
  if (found.kind === 'Missing') return undefined;
  const type = c.eat(':') ? typeName(c) : undefined;
  return { kind: 'ColumnDeclaration', name: found, ...defined({ type }), ...c.since(found) };
}

export interface WrittenPattern {
  readonly name: string;
  readonly wildcard: boolean;
  /** Whether any part of the pattern is quoted. */
  readonly quoted: boolean;
  /** Whether the pattern contains a dash or a dot outside quotes. */
  readonly loose: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a name, or a wildcard such as `repo*`, `['geo.']*` or `github-*`. Returns undefined if neither starts here.
 */
export function optPattern(c: Cursor): WrittenPattern | undefined {
  const start = c.token.start;
  let written = '';
  let wildcard = false;
  let quoted = false;
  let loose = false;
  for (let first = true; first || c.isAdjacent(); first = false) {
    if (c.eat('*')) {
      written += '*';
      wildcard = true;
    } else if (!first && (c.at('-') || c.at('.'))) {
      written += c.textOf(c.advance());
      loose = true;
    } else if (atName(c)) {
      const part = optName(c) as Name;
      written += part.name;
      quoted ||= part.quoted;
    } else if (!first && (c.kind === 'long' || c.kind === 'timespan')) {
      written += c.textOf(c.token);
      c.jump(c.index + 1);
    } else break;
  }
  if (written === '') return undefined;
  return { name: written, wildcard, quoted, loose, start, end: c.lastEnd };
}

/** Returns an unquoted name that consists of several tokens, such as `http-logs`, and its token count. */
export function looseName(
  c: Cursor,
  separators: string,
): { name: string; length: number } | undefined {
  if (c.kind !== 'word') return undefined;
  let length = 1;
  while (
    c.isAdjacent(length) &&
    c.isAdjacent(length + 1) &&
    isOneOf(c, separators, length) &&
    ['word', 'long', 'timespan'].includes(c.peek(length + 1).kind)
  ) {
    length += 2;
  }
  if (length === 1) return undefined;
  const end = c.peek(length - 1).end;
  return { name: c.text.slice(c.token.start, end), length };
}

function isOneOf(c: Cursor, characters: string, ahead: number): boolean {
  const token = c.peek(ahead);
  return token.end === token.start + 1 && characters.includes(c.text.charAt(token.start));
}

/** Parses a dataset name or a wildcard. Reports a problem and returns undefined if none starts here. */
export function datasetPattern(c: Cursor): DatasetPattern | undefined {
  const pattern = optPattern(c);
  if (pattern === undefined) {
    c.expected('expected-table');
    return undefined;
  }
  const { name, wildcard, quoted, loose, start, end } = pattern;
  if (loose && !wildcard) c.report('quote-name', pattern, { name });
  return { kind: 'DatasetPattern', name, wildcard, quoted, start, end };
}
