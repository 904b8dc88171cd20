// Finds the strings of a JSON text, including member names, with their paths and the offset of each character.
// Incomplete text is accepted, as far as its paths are clear.

import { equal, type Path } from './value.ts';

/** Half-open offsets in UTF-16 code units of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A string literal, with the offsets between its quotes. */
export interface StringLiteral extends Span {
  readonly path: Path;
}

interface Frame {
  readonly array: boolean;
  /** The current item's index or member's name. */
  step: string | number;
  /** Whether the next string in an object is a name. */
  expectsName: boolean;
}

/** Returns the string values of a JSON text, in order, without member names. */
export function stringsIn(text: string): StringLiteral[] {
  return scan(text).values;
}

/** Returns the member names of a JSON text, in order. Each path ends in the name. */
export function namesIn(text: string): StringLiteral[] {
  return scan(text).names;
}

/**
 * Returns the span to replace when typing a member's value: between quotes, the start of an array's items, or all of a
 * plain value. Undefined if there is no such member.
 */
export function memberValue(text: string, path: Path): Span | undefined {
  const name = namesIn(text).find((one) => equal(one.path, path));
  if (name === undefined) return undefined;
  const start = name.end + 1 + (/^\s*:\s*/.exec(text.slice(name.end + 1))?.[0].length ?? 0);
  if (text[start] === '"') return { start: start + 1, end: closingQuote(text, start + 1) };
  if (text[start] === '[') return { start: start + 1, end: start + 1 };
  return { start, end: start + (/^[^\s,}\]]*/.exec(text.slice(start))?.[0].length ?? 0) };
}

/**
 * Returns the path of the array whose items are at an offset; undefined elsewhere. The offset must be outside strings.
 */
export function arrayAt(text: string, offset: number): Path | undefined {
  const { frames } = scan(text.slice(0, offset));
  return frames.at(-1)?.array ? frames.slice(0, -1).map(({ step }) => step) : undefined;
}

interface Scanned {
  readonly values: StringLiteral[];
  readonly names: StringLiteral[];
  /** The objects and arrays still open at the end of the text, outermost first. */
  readonly frames: readonly Frame[];
}

function scan(text: string): Scanned {
  const [values, names]: [StringLiteral[], StringLiteral[]] = [[], []];
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const top = frames.at(-1);
    switch (text[at]) {
      case '{':
        frames.push({ array: false, step: '', expectsName: true });
        break;
      case '[':
        frames.push({ array: true, step: 0, expectsName: false });
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        if (top?.array) top.step = (top.step as number) + 1;
        else if (top) top.expectsName = true;
        break;
      case ':':
        if (top) top.expectsName = false;
        break;
      case '"': {
        const end = closingQuote(text, at + 1);
        const isName = top !== undefined && !top.array && top.expectsName;
        if (isName) top.step = decode(text, at + 1, end).value;
        const path = frames.map(({ step }) => step);
        (isName ? names : values).push({ path, start: at + 1, end });
        at = end;
        break;
      }
    }
  }
  return { values, names, frames };
}

/** Returns the offset of the closing quote, or the end of the line if there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"' || character === '\n') return at;
  }
  return text.length;
}

/** A string literal's value, with the text offset of each code unit and of the end. */
export interface DecodedString {
  readonly value: string;
  readonly offsets: Int32Array;
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Decodes the text between quotes. An unknown escape is decoded as the character itself. */
export function decode(text: string, start: number, end: number): DecodedString {
  const offsets = new Int32Array(end - start + 1);
  let value = '';
  let at = start;
  while (at < end) {
    offsets[value.length] = at;
    const character = text[at] as string;
    if (character !== '\\' || at + 1 >= end) {
      value += character;
      at += 1;
      continue;
    }
    const escaped = text[at + 1] as string;
    const hex = escaped === 'u' ? /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 2, at + 6)) : null;
    if (hex !== null && at + 6 <= end) {
      value += String.fromCharCode(Number.parseInt(hex[0], 16));
      at += 6;
    } else {
      value += ESCAPES[escaped] ?? escaped;
      at += 2;
    }
  }
  offsets[value.length] = end;
  return { value, offsets: offsets.slice(0, value.length + 1) };
}

/** Encodes a string for use between quotes. */
export function encode(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
