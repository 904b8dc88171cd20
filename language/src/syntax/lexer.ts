/**
 * Text to tokens in one pass. Whitespace and comments become gaps between tokens; whatever is not APL
 * becomes a token of kind `unknown`, so that tokens and gaps give back every text.
 */
import { operators } from '../catalog/operators.ts';
import {
  classAt,
  continuesWord,
  digitClass,
  isDigit,
  isNewline,
  punctuationClass,
  quoteClass,
  spaceClass,
  unknownClass,
  widthAt,
  wordClass,
} from './characters.ts';
import type { Token } from './tokens.ts';
import { timespanUnits } from './units.ts';

/** The words that `!` may stand before, joined to them as in `!contains`. */
const negatable = new Set(
  'between contains contains_cs endswith endswith_cs has has_all has_any has_any_cs has_cs hasprefix hasprefix_cs hassuffix hassuffix_cs in matches startswith startswith_cs'.split(
    ' ',
  ),
);

/** Punctuation of two characters, both codes in one number, so that no text is cut out to look it up. */
const pairs = new Set(
  ['==', '=~', '!=', '!~', '<=', '>=', '<>', '..', '&&'].map((pair) => pairAt(pair, 0)),
);

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}

/** The tokens of a text in order, the last of kind `end`. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  const length = text.length;
  let at = 0;
  // The end of the line that is read for the second time, since it has a string without its end.
  let brokenUntil = 0;
  while (at < length) {
    switch (classAt(text, at)) {
      case spaceClass:
        at++;
        continue;
      case wordClass:
        at = lexWord(text, at, tokens);
        continue;
      case digitClass:
        at = lexNumber(text, at, tokens);
        continue;
      case quoteClass:
        if (at < brokenUntil) {
          at = lexBrokenString(text, at, tokens);
          continue;
        }
        at = lexString(text, at, tokens);
        if (tokens.at(-1)?.flaw === 'unterminated-string') {
          brokenUntil = at;
          at = startOfLine(text, at);
          while ((tokens.at(-1)?.start ?? -1) >= at) tokens.pop();
        }
        continue;
      case punctuationClass:
        if (text.charCodeAt(at) === 47 && text.charCodeAt(at + 1) === 47) {
          at = endOfLine(text, at + 2);
          continue;
        }
        at = lexPunctuation(text, at, tokens);
        continue;
      default:
        at = lexOther(text, at, tokens);
    }
  }
  tokens.push({ kind: 'end', start: length, end: length });
  return tokens;
}

/** The offset of the next line break, or of the end of the text. */
export function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** The start of the line below the one that ends at an offset; the end of the text when there is none. */
export function lineBelow(text: string, end: number): number {
  return Math.min(text.length, end + (text.startsWith('\r\n', end) ? 2 : 1));
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (continuesWord(text, at)) at += text.charCodeAt(at) < 128 ? 1 : widthAt(text, at);
  return at;
}

function lexWord(text: string, start: number, tokens: Token[]): number {
  const end = wordEnd(text, start + widthAt(text, start));
  if (end - start === 2 && text.charCodeAt(end) === 126 && text.startsWith('in', start)) {
    tokens.push({ kind: 'punctuation', start, end: end + 1 });
    return end + 1;
  }
  tokens.push({ kind: 'word', start, end });
  return end;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function lexNumber(text: string, start: number, tokens: Token[]): number {
  const second = text.charCodeAt(start + 1) | 32;
  if (text.charCodeAt(start) === 48 && second === 120) {
    const end = wordEnd(text, start + 2);
    const good = /^[0-9a-fA-F]+$/.test(text.slice(start + 2, end));
    tokens.push(
      good ? { kind: 'long', start, end } : { kind: 'long', start, end, flaw: 'bad-number' },
    );
    return end;
  }
  let end = digitsEnd(text, start);
  let real = false;
  if (text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1))) {
    real = true;
    end = digitsEnd(text, end + 1);
  }
  if (real && text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1))) {
    while (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === 46) end++;
    tokens.push({ kind: 'real', start, end, flaw: 'bad-number' });
    return end;
  }
  if ((text.charCodeAt(end) | 32) === 101) {
    const sign = text.charCodeAt(end + 1);
    const digits = end + (sign === 43 || sign === 45 ? 2 : 1);
    const after = digitsEnd(text, digits);
    if (after > digits && !continuesWord(text, after)) {
      real = true;
      end = after;
    }
  }
  const unitEnd = wordEnd(text, end);
  if (unitEnd === end) {
    tokens.push({ kind: real ? 'real' : 'long', start, end });
    return end;
  }
  const known = unitEnd - end < 16 && timespanUnits.has(text.slice(end, unitEnd));
  tokens.push(
    known
      ? { kind: 'timespan', start, end: unitEnd }
      : { kind: 'timespan', start, end: unitEnd, flaw: 'bad-number' },
  );
  return unitEnd;
}

function lexString(text: string, start: number, tokens: Token[]): number {
  const verbatim = text.charCodeAt(start) === 64;
  const end = verbatim ? verbatimEnd(text, start) : stringEnd(text, start);
  if (end >= 0) tokens.push({ kind: 'string', start, end });
  else tokens.push({ kind: 'string', start, end: ~end, flaw: 'unterminated-string' });
  return end >= 0 ? end : ~end;
}

/**
 * The offset behind the string whose opening quote is at `start`. Without a closing quote a string ends
 * with its line; then the complement (`~offset`) of that end.
 */
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

/** The same for `@'…'` and `@"…"`, where nothing is escaped and a quote inside is doubled. */
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

/** The offset right behind the last line break before an offset. */
export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isNewline(text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * A string on a line where a quote is missing, so that what looks like text may be none: a quote right
 * behind a word ends a text whose start is missing, and a text ends before the next stage and, where it
 * has no end at all or stands right behind a bracket, before what closes the bracket.
 */
function lexBrokenString(text: string, start: number, tokens: Token[]): number {
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
const stageNames: ReadonlySet<string> = new Set(operators.map(({ name }) => name));

/** Whether a pipe stands here and an operator behind it. */
function startsStage(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 124) return false;
  stage.lastIndex = at;
  return stageNames.has(stage.exec(text)?.[1] ?? '');
}

/** How many tokens are looked back over for a bracket that is open. */
const lookBack = 100;

/** The character that closes the innermost bracket open among the last tokens; 0 without one. */
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

function lexPunctuation(text: string, start: number, tokens: Token[]): number {
  const code = text.charCodeAt(start);
  // A fraction without a leading zero is a number unless it goes on a name, a bracket or another number.
  if (code === 46 && isDigit(text.charCodeAt(start + 1)) && !joins(text, start)) {
    const end = digitsEnd(text, start + 1);
    tokens.push({ kind: 'real', start, end });
    return end;
  }
  if (code === 33) {
    const end = wordEnd(text, start + 1);
    if (end > start + 1 && negatable.has(text.slice(start + 1, end))) {
      const tilde = end - start === 3 && text.charCodeAt(end) === 126 ? 1 : 0;
      tokens.push({ kind: 'punctuation', start, end: end + tilde });
      return end + tilde;
    }
  }
  const width = pairs.has(pairAt(text, start)) ? 2 : 1;
  tokens.push({ kind: 'punctuation', start, end: start + width });
  return start + width;
}

/** Whether a dot here goes on a name, a number or a closed bracket. */
function joins(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return at > 0 && (before === 41 || before === 93 || continuesWord(text, at - 1));
}

const doubleCurly = '\u201c\u201d\u201e';
const singleCurly = '\u2018\u2019\u201a';

function lexOther(text: string, start: number, tokens: Token[]): number {
  const code = text.charCodeAt(start);
  const next = text.charCodeAt(start + 1);
  if (code === 64 && (next === 34 || next === 39)) return lexString(text, start, tokens);
  const closers = doubleCurly.includes(text.charAt(start))
    ? `${doubleCurly}"`
    : singleCurly.includes(text.charAt(start))
      ? `${singleCurly}'`
      : '';
  // Word processors turn quotes into curly ones; read as the string that was meant, with one problem.
  if (closers !== '') {
    for (let at = start + 1; at < text.length && !isNewline(text.charCodeAt(at)); at++) {
      if (!closers.includes(text.charAt(at))) continue;
      tokens.push({ kind: 'string', start, end: at + 1, flaw: 'curly-quotes' });
      return at + 1;
    }
  }
  let end = start + widthAt(text, start);
  while (end < text.length && classAt(text, end) === unknownClass && text.charCodeAt(end) !== 64) {
    if (doubleCurly.includes(text.charAt(end)) || singleCurly.includes(text.charAt(end))) break;
    end += widthAt(text, end);
  }
  tokens.push({ kind: 'unknown', start, end, flaw: 'bad-character' });
  return end;
}
