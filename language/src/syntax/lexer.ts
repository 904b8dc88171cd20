/**
 * Splits text into tokens. Whitespace and comments are gaps between tokens. Invalid characters are tokens of kind
 * `unknown`, so tokens and gaps together reproduce the text. A line with an unterminated string is read twice.
 */
import { packed } from '../append.ts';
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
import { endOfLine, startOfLine } from './lines.ts';
import { lexBrokenString, lexString } from './stringTokens.ts';
import type { Token } from './tokens.ts';
import { timespanUnits } from './units.ts';

/** The words that can directly follow `!`, as in `!contains`. */
const negatable = new Set(
  'between contains contains_cs endswith endswith_cs has has_all has_any has_any_cs has_cs hasprefix hasprefix_cs hassuffix hassuffix_cs in matches startswith startswith_cs'.split(
    ' ',
  ),
);

/** Two-character punctuation, as numbers that combine both character codes, to avoid allocating substrings. */
const pairs = new Set(
  ['==', '=~', '!=', '!~', '<=', '>=', '<>', '..', '&&'].map((pair) => pairAt(pair, 0)),
);

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}

/** Returns the tokens of the text in order. The last token has kind `end`. */
export function lex(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const length = text.length;
  let at = 0;
  // The end of the line that is being read again because of an unterminated string.
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
  return packed(tokens);
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

function lexPunctuation(text: string, start: number, tokens: Token[]): number {
  const code = text.charCodeAt(start);
  // `.5` is a number. After a name, a bracket or a number, the dot is punctuation.
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

/** Returns whether a dot at `at` directly follows a name, a number, `)` or `]`. */
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
  // Word processors produce curly quotes. Read a pair of them as the quotes of one string.
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
