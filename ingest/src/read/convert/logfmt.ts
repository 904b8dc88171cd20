// Converts lines of `key=value` pairs to JSON objects. Quoted values have JSON escapes; unquoted numbers and booleans
// are converted. Words between pairs, which logfmt reads as keys, are more often a message and are joined into one.

import type { Instant } from '../../../../formats/src/rfc3339.ts';
import type { TimeSettings } from '../../settings.ts';
import type { Output } from '../output.ts';
import { formatInstant } from '../times/instant.ts';
import { type TimeReader, timeProblem, timeReader } from '../times/reader.ts';
import type { Converter } from './converter.ts';
import { fits } from './csvValues.ts';
import { quotedEnd } from './jsonText.ts';

const KEY = /([^\s="]+)=/y;
const BARE = /[^\s"]*(?=\s|$)/y;
const WORD = /\S+/y;
const SPACE = /\s*/y;

export interface Pair {
  readonly key: string;
  /** The value as written, including quotes. Undefined for a word that isn't a pair. */
  readonly value: string | undefined;
}

/** Splits a line into pairs and words. */
export function pairsOf(line: string): Pair[] {
  const pairs: Pair[] = [];
  const matchAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(line);
  };
  for (let at = 0; ; ) {
    at += matchAt(SPACE, at)?.[0].length ?? 0;
    if (at >= line.length) return pairs;
    const [text = '', key] = matchAt(KEY, at) ?? [];
    const value = key === undefined ? undefined : valueAt(line, at + text.length, matchAt);
    if (key !== undefined && value !== undefined) {
      pairs.push({ key, value });
      at += text.length + value.length;
    } else {
      const [word = ''] = matchAt(WORD, at) ?? [];
      pairs.push({ key: word, value: undefined });
      at += word.length;
    }
  }
}

/** Returns the value at `at`, up to a space or the end; undefined if there is none. */
function valueAt(
  line: string,
  at: number,
  matchAt: (pattern: RegExp, at: number) => RegExpExecArray | null,
): string | undefined {
  if (line[at] !== '"') return matchAt(BARE, at)?.[0];
  const end = quotedEnd(line, at);
  const ends = end >= 0 && (end === line.length || /\s/.test(line[end] as string));
  return ends ? line.slice(at, end) : undefined;
}

export class LogfmtConverter implements Converter {
  readonly #time: TimeSettings | undefined;
  readonly #readTime: TimeReader | undefined;
  time: Instant | undefined;

  constructor(time: TimeSettings | undefined) {
    this.#time = time;
    this.#readTime = time && timeReader(time);
  }

  convert(buffer: Buffer, start: number, end: number, output: Output): string | undefined {
    this.time = undefined;
    const pairs = pairsOf(buffer.toString('utf8', start, end));
    if (!pairs.some(({ value }) => value !== undefined)) return 'It has no key=value pair.';
    const members = new Map<string, string>();
    const words: string[] = [];
    for (const { key, value } of pairs) {
      if (value === undefined) words.push(key);
      // Of equal keys, the first is kept, as in JSON.
      else if (!members.has(key)) members.set(key, jsonOf(value));
    }
    if (words.length > 0) {
      const key = members.has('message') ? 'text' : 'message';
      if (!members.has(key)) members.set(key, JSON.stringify(words.join(' ')));
    }
    const settings = this.#time;
    const raw = settings && members.get(settings.field);
    if (settings !== undefined && raw !== undefined && raw !== '""') {
      const text = raw.startsWith('"') ? (JSON.parse(raw) as string) : raw;
      this.time = this.#readTime?.(text);
      if (this.time === undefined) return timeProblem(settings, text);
      members.set('_time', `"${formatInstant(this.time)}"`);
    }
    const json = `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
    output.reserve(json.length * 3);
    output.length += output.bytes.write(json, output.length);
    return undefined;
  }
}

function jsonOf(value: string): string {
  if (value.startsWith('"')) {
    try {
      JSON.parse(value);
      return value;
    } catch {
      // The value has an escape that JSON doesn't define.
      return JSON.stringify(value.slice(1, -1).replace(/\\(.)/g, '$1'));
    }
  }
  if (value === 'true' || value === 'false') return value;
  return fits('integer', value) || (fits('number', value) && /^-?\d+\.\d+$/.test(value))
    ? value
    : JSON.stringify(value);
}
