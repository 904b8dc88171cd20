/** Parses operators that extract columns from a string: parse, parse-where, parse-kv. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { ColumnDeclaration, ParseKvOperator, ParseOperator, ParsePart } from '../tree.ts';
import { expression } from './expressions.ts';
import { atMissingPipe, needClause } from './keywords.ts';
import { atName, columnDeclaration } from './names.ts';
import { stringLiteral } from './operands.ts';
import { optWordOption, withProperties } from './properties.ts';
import { columnDeclarations } from './sources.ts';

export function parseOperator(c: Cursor, keyword: Span, where: boolean): ParseOperator {
  const parseKind = optWordOption(c, 'kind');
  const flags = optWordOption(c, 'flags');
  const subject = expression(c);
  const pattern = needClause(c, 'with', keyword) ? parsePattern(c) : [];
  return {
    kind: 'ParseOperator',
    keyword,
    where,
    ...(parseKind === undefined ? {} : { parseKind }),
    ...(flags === undefined ? {} : { flags }),
    expression: subject,
    pattern,
    start: keyword.start,
    end: c.lastEnd,
  };
}

/** Parses consecutive strings, stars and columns. Commas between them are allowed. */
function parsePattern(c: Cursor): readonly ParsePart[] {
  const parts: ParsePart[] = [];
  while (!c.atEnd && !(parts.length > 0 && c.startsLine() && atMissingPipe(c))) {
    const part = optParsePart(c);
    if (part === undefined) break;
    parts.push(part);
    c.eat(',');
  }
  if (parts.length === 0) c.expected('expected-pattern');
  return parts;
}

function optParsePart(c: Cursor): ParsePart | undefined {
  if (c.kind === 'string') return stringLiteral(c);
  if (atName(c)) return columnDeclaration(c);
  if (!c.at('*')) return undefined;
  const star = c.advance();
  return { kind: 'Star', start: star.start, end: star.end };
}

/** Returns whether the bracket after the current word ends before `as`, as that of a call does. */
function isCallBeforeAs(c: Cursor): boolean {
  return c.at('as', c.closeOf(c.index + 1) - c.index);
}

export function parseKvOperator(c: Cursor, keyword: Span): ParseKvOperator {
  // A bracket separated from the preceding name isn't a call: `as` is missing between them.
  const lacksAs = c.kind === 'word' && c.at('(', 1) && !c.isAdjacent(1) && !isCallBeforeAs(c);
  const subject = lacksAs ? c.within(c.index + 1, expression) : expression(c);
  let keys: readonly ColumnDeclaration[] = [];
  if (needClause(c, 'as', keyword) || c.at('(')) keys = columnDeclarations(c);
  const properties = withProperties(c);
  return {
    kind: 'ParseKvOperator',
    keyword,
    expression: subject,
    keys,
    properties,
    start: keyword.start,
    end: c.lastEnd,
  };
}
