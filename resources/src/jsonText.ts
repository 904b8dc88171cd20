// The strings of a JSON text, names of members included, with the path of each and where each character of its value
// is written. Tolerant: a text that somebody is typing has its strings found as well, as far as their paths are plain.

import { equal, type Path } from './value.ts';

/** Half-open offsets in UTF-16 code units of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A string literal; its offsets are those between the quotes. */
export interface StringLiteral extends Span {
  readonly path: Path;
}

interface Frame {
  readonly array: boolean;
  /** The index of the item, or the name of the member, that is being read. */
  step: string | number;
  /** Whether the next string of an object is a name. */
  expectsName: boolean;
}

/** The string values of a JSON text, in order. Names of members are not among them. */
export function stringsIn(text: string): StringLiteral[] {
  return scan(text).values;
}

/** The names of members in a JSON text, in order. The path of each ends in the name. */
export function namesIn(text: string): StringLiteral[] {
  return scan(text).names;
}

/** Where the value of a member can be typed over: between quotes or brackets, or all of a plain value. */
export function memberValue(text: string, path: Path): Span | undefined {
  const name = namesIn(text).find((one) => equal(one.path, path));
  if (name === undefined) return undefined;
  const start = name.end + 1 + (/^\s*:\s*/.exec(text.slice(name.end + 1))?.[0].length ?? 0);
  if (text[start] === '"') return { start: start + 1, end: closingQuote(text, start + 1) };
  if (text[start] === '[') return { start: start + 1, end: start + 1 };
  return { start, end: start + (/^[^\s,}\]]*/.exec(text.slice(start))?.[0].length ?? 0) };
}

/** The path of the array whose items are at an offset; undefined elsewhere. The offset is in no string. */
export function arrayAt(text: string, offset: number): Path | undefined {
  const { frames } = scan(text.slice(0, offset));
  return frames.at(-1)?.array ? frames.slice(0, -1).map(({ step }) => step) : undefined;
}

interface Scanned {
  readonly values: StringLiteral[];
  readonly names: StringLiteral[];
  /** The objects and arrays that are open at the end of the text, outermost first. */
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

/** The offset of the closing quote; the end of the line where a string is not closed. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"' || character === '\n') return at;
  }
  return text.length;
}

/** The value of a string literal, and for each of its code units, and its end, the offset in the text. */
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

/** Decodes what is between the quotes. An escape that does not exist stands for the character itself. */
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

/** A string as it is written between quotes. */
export function encode(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
