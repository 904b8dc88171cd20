// Writes each JSON object on one line, and its time as `_time` if the service can't read it. Everything else is copied,
// so no digit changes. If it spans lines, whitespace between tokens is dropped.

import type { Instant } from '../../../../formats/src/rfc3339.ts';
import type { TimeSettings } from '../../settings.ts';
import type { Output } from '../output.ts';
import { BACKSLASH, COMMA, isSpace, NEWLINE, QUOTE, RETURN } from '../split/splitter.ts';
import { type TimeReader, timeProblem, timeReader } from '../times/reader.ts';
import type { Converter } from './converter.ts';
import { quotedEnd } from './jsonText.ts';
import { TimeMember } from './members.ts';

export const invalidJson = 'It is not valid JSON.';

/** Words that Python writes but that aren't JSON. The service stores null for them. */
const NOT_NUMBERS = ['NaN', 'Infinity', '-Infinity'];

export class JsonConverter implements Converter {
  readonly #settings: TimeSettings | undefined;
  readonly #member: TimeMember | undefined;
  readonly #readTime: TimeReader | undefined;
  readonly #strict: boolean;
  time: Instant | undefined;

  /** `time` is set if it is to be converted. `strict` turns NaN and Infinity into null. */
  constructor(time: TimeSettings | undefined, strict = false) {
    this.#settings = time;
    this.#member = time && new TimeMember(time.field);
    this.#readTime = time && timeReader(time);
    this.#strict = strict;
  }

  convert(buffer: Buffer, start: number, end: number, output: Output): string | undefined {
    this.time = undefined;
    const member = this.#member;
    if (member === undefined) {
      this.#copy(buffer, start, end, output);
      return undefined;
    }
    if (!member.find(buffer, start, end)) return invalidJson;
    const { valueStart, valueEnd } = member;
    if (valueStart >= 0) {
      const raw = buffer.toString('utf8', valueStart, valueEnd);
      const text = textOf(raw);
      if (text !== undefined) {
        this.time = this.#readTime?.(text);
        if (this.time === undefined && this.#settings) return timeProblem(this.#settings, text);
      }
    }
    if (this.time === undefined) {
      this.#copy(buffer, start, end, output);
      return undefined;
    }
    output.ascii('{"_time":');
    output.instant(this.time);
    const { timeMemberStart, timeMemberEnd } = member;
    if (timeMemberStart < 0) {
      output.byte(COMMA);
      this.#copy(buffer, start + 1, end, output);
      return undefined;
    }
    // Leaves out the event's own `_time`, with the comma on one side.
    let before = timeMemberStart;
    while (isSpace(buffer[before - 1] as number)) before -= 1;
    let after = timeMemberEnd;
    while (isSpace(buffer[after] as number)) after += 1;
    const first = buffer[before - 1] !== COMMA;
    if (first) {
      // A comma or the end of the object follows.
      this.#copy(buffer, after, end, output);
      return undefined;
    }
    output.byte(COMMA);
    this.#copy(buffer, start + 1, before - 1, output);
    this.#copy(buffer, after, end, output);
    return undefined;
  }

  #copy(buffer: Buffer, start: number, end: number, output: Output): void {
    if (end <= start) return;
    const view = buffer.subarray(start, end);
    if (!this.#strict && view.indexOf(NEWLINE) < 0 && view.indexOf(RETURN) < 0) {
      output.copy(buffer, start, end);
    } else copyTokens(buffer, start, end, output, this.#strict);
  }
}

/** Returns the text of a string or number; undefined for null and an empty string. */
function textOf(raw: string): string | undefined {
  if (raw === 'null' || raw === '""') return undefined;
  if (!raw.startsWith('"')) return raw;
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw;
  }
}

/** Copies JSON without whitespace between tokens. `strict` replaces NaN and Infinity with null. */
function copyTokens(
  buffer: Buffer,
  start: number,
  end: number,
  output: Output,
  strict: boolean,
): void {
  // Replacing a word adds at most one byte.
  output.reserve((end - start) * 2);
  const { bytes } = output;
  let to = output.length;
  let inString = false;
  for (let at = start; at < end; at += 1) {
    const byte = buffer[at] as number;
    if (inString) {
      bytes[to++] = byte;
      if (byte === QUOTE) inString = false;
      else if (byte === BACKSLASH && at + 1 < end) {
        at += 1;
        bytes[to++] = buffer[at] as number;
      }
    } else if (!isSpace(byte)) {
      const word = strict ? notNumberAt(buffer, at, end) : undefined;
      if (word !== undefined) {
        to += bytes.write('null', to, 'latin1');
        at += word.length - 1;
        continue;
      }
      bytes[to++] = byte;
      if (byte === QUOTE) inString = true;
    }
  }
  output.length = to;
}

function notNumberAt(buffer: Buffer, at: number, end: number): string | undefined {
  const first = buffer[at];
  // `N`, `I` and the minus sign.
  if (first !== 0x4e && first !== 0x49 && first !== 0x2d) return undefined;
  return NOT_NUMBERS.find(
    (word) => at + word.length <= end && buffer.toString('latin1', at, at + word.length) === word,
  );
}

/** Replaces NaN and Infinity in JSON text with null. */
export function withoutNaN(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const outside = text.slice(at, quote < 0 ? text.length : quote);
    parts.push(outside.replace(/-?\bInfinity\b|\bNaN\b/g, 'null'));
    if (quote < 0) break;
    const end = quotedEnd(text, quote);
    at = end < 0 ? text.length : end;
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}
