/** Reads the tokens of a statement, as far as the server has to know it: its keyword, its format, and whether it ends. */
import { ServerError } from './errors.ts';

export interface Statement {
  readonly text: string;
  /** The first word in upper case, or `(`. */
  readonly keyword: string;
  /** The name after FORMAT. */
  readonly format?: string;
}

interface Token {
  readonly text: string;
  readonly offset: number;
}

/** Sticky patterns of white space, comments, words, and quotes, which `quoted` reads to their end. */
const space = /(?:\s+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\/)+/y;
const word = /[A-Za-z_]\w*/y;

/** How many bytes of an INSERT are read: its data may be of any size and in any encoding. */
const HEAD_BYTES = 65_536;

/** How many bytes of an INSERT may precede its data. */
const INSERT_BYTES_MAX = 4 * 1_048_576;

/** An INSERT that is divided before its settings and before its data. */
export interface DividedInsert {
  readonly into: string;
  readonly settingsAndFormat: string;
  readonly data: Buffer;
}

/** Divides an INSERT. Returns undefined if it has no FORMAT. */
export function divideInsert(sql: Buffer): DividedInsert | undefined {
  const head = sql.toString('latin1', 0, INSERT_BYTES_MAX);
  const textOf = (start: number, end: number) => sql.toString('utf8', start, end);
  let settings: number | undefined;
  let format: number | undefined;
  for (const { text, offset } of tokensOf(head)) {
    if (format !== undefined) {
      const end = offset + text.length;
      const data = sql.subarray(end + /^[ \t]*\n?/.exec(head.slice(end, end + 100))![0].length);
      const middle = settings ?? format;
      return { into: textOf(0, middle), settingsAndFormat: textOf(middle, end), data };
    }
    if (text.toUpperCase() === 'SETTINGS') settings = offset;
    if (text.toUpperCase() === 'FORMAT') format = offset;
  }
  return undefined;
}

/**
 * Parses the text of a query. Throws SYNTAX_ERROR if it is empty or has a second statement, which chdb would run and a
 * server refuses.
 */
export function parseStatement(sql: Buffer): Statement {
  const head = sql.toString('latin1', 0, HEAD_BYTES);
  const first = tokensOf(head).next().value;
  if (first === undefined) throw new ServerError(62, 'SYNTAX_ERROR', 'Empty query.');
  const keyword = first.text.toUpperCase();
  if (keyword === 'INSERT') return { text: head, keyword };
  return { ...parseWhole(sql.toString()), keyword };
}

function parseWhole(text: string): { text: string; format?: string } {
  let format: string | undefined;
  let previous = '';
  let end: number | undefined;
  for (const token of tokensOf(text)) {
    if (end !== undefined) {
      const message = `Syntax error (Multi-statements are not allowed): failed at position ${end + 1} (end of query).`;
      throw new ServerError(62, 'SYNTAX_ERROR', message);
    }
    if (token.text === ';') end = token.offset;
    if (previous.toUpperCase() === 'FORMAT' && isWord(token.text)) format = token.text;
    previous = token.text;
  }
  return { text, ...(format === undefined ? {} : { format }) };
}

/** Replaces unquoted words, in any case, by an expression. */
export function replaceWord(text: string, name: string, expression: string): string {
  let replaced = '';
  let from = 0;
  for (const token of tokensOf(text)) {
    if (token.text.toLowerCase() !== name) continue;
    replaced += text.slice(from, token.offset) + expression;
    from = token.offset + token.text.length;
  }
  return replaced + text.slice(from);
}

function* tokensOf(text: string): Generator<Token, undefined> {
  let offset = 0;
  while (offset < text.length) {
    const skipped = match(space, text, offset);
    if (skipped !== undefined) {
      offset += skipped.length;
      continue;
    }
    const token = match(word, text, offset) ?? quoted(text, offset) ?? text[offset]!;
    yield { text: token, offset };
    offset += token.length;
  }
  return undefined;
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

/** Reads a string or a quoted name, in which a backslash escapes; a doubled quote reads as two of them, side by side. */
function quoted(text: string, offset: number): string | undefined {
  const quote = text[offset]!;
  if (!'\'"`'.includes(quote)) return undefined;
  let end = offset + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return text.slice(offset, end + 1);
}

function isWord(text: string): boolean {
  return match(word, text, 0) === text;
}
