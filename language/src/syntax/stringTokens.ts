/** Finds the ends of quoted strings. On a line with a missing quote, finds their likely intended ends. */
import { sourceNames, transformNames } from '../operators/names.ts';
import { classAt, isNewline, spaceClass } from './characters.ts';
import type { Token } from './tokens.ts';

/** Adds the token of the string at `start`, and returns the offset after it. */
export function lexString(text: string, start: number, tokens: Token[]): number {
  const verbatim = text.charCodeAt(start) === 64;
  const end = verbatim ? verbatimEnd(text, start) : stringEnd(text, start);
  if (end >= 0) tokens.push({ kind: 'string', start, end });
  else tokens.push({ kind: 'string', start, end: ~end, flaw: 'unterminated-string' });
  return end >= 0 ? end : ~end;
}

/** Returns the offset after a string, or the complement (`~offset`) of the line's end if the string is unterminated. */
export function stringEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  const length = text.length;
  let at = start + 1;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (isNewline(code)) break;
    at += code === 92 && at + 1 < length && !isNewline(text.charCodeAt(at + 1)) ? 2 : 1;
  }
  return ~at;
}

/** Returns the same as `stringEnd` for a verbatim string such as `@'…'`. It has no escapes and doubles its quotes. */
export function verbatimEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start + 1);
  const length = text.length;
  let at = start + 2;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (text.charCodeAt(at + 1) !== quote) return at + 1;
      at++;
    } else if (isNewline(code)) break;
    at++;
  }
  return ~at;
}

/**
 * Adds the token of a string on a line with a missing quote. Such a string may contain code, so its end is guessed:
 * - A quote directly after a word or number ends a string whose opening quote is missing.
 * - Any other string ends before the next stage.
 * - A string that is unterminated or directly follows `[` also ends before a closing bracket.
 */
export function lexBrokenString(text: string, start: number, tokens: Token[]): number {
  const before = tokens.at(-1);
  const touches = before !== undefined && before.end === start;
  if (touches && before.kind !== 'punctuation' && before.kind !== 'string') {
    tokens.push({ kind: 'string', start, end: start + 1, flaw: 'missing-quote' });
    return start + 1;
  }
  const closed = stringEnd(text, start);
  const limit = closed >= 0 ? closed - 1 : ~closed;
  const named = touches && text.charCodeAt(before.start) === 91;
  const closer = named ? 93 : closed < 0 ? closerOnLine(text, tokens) : 0;
  let end = start + 1;
  while (end < limit && text.charCodeAt(end) !== closer && !startsStage(text, end)) end++;
  if (end === limit) return lexString(text, start, tokens);
  while (end > start + 1 && classAt(text, end - 1) === spaceClass) end--;
  tokens.push({ kind: 'string', start, end, flaw: 'missing-quote' });
  return end;
}

const stage = /\|[ \t]*([a-z][a-z-]*)/y;
const stageNames: ReadonlySet<string> = new Set([...transformNames, ...sourceNames]);

/** Returns whether a pipe followed by an operator starts here. */
function startsStage(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 124) return false;
  stage.lastIndex = at;
  return stageNames.has(stage.exec(text)?.[1] ?? '');
}

const lookBack = 100;

/** Returns the code of the bracket that closes the stage's last open bracket, or 0. */
function closerOnLine(text: string, tokens: readonly Token[]): number {
  let closed = 0;
  for (let i = tokens.length - 1; i >= 0 && i >= tokens.length - lookBack; i--) {
    const token = tokens[i] as Token;
    if (token.kind !== 'punctuation' || token.end !== token.start + 1) continue;
    const code = text.charCodeAt(token.start);
    if (code === 124 || code === 59) return 0;
    if (code === 41 || code === 93 || code === 125) closed++;
    else if (code === 40 || code === 91 || code === 123) {
      if (closed === 0) return code === 40 ? 41 : code + 2;
      closed--;
    }
  }
  return 0;
}
