// Converts CSV records to JSON objects in one pass over their bytes.

import { counted } from '../../../../formats/src/counts.ts';
import { type CsvValue, csvValueAt } from '../../../../formats/src/csvValue.ts';
import type { Instant } from '../../../../formats/src/rfc3339.ts';
import type { CsvSettings, TimeSettings } from '../../settings.ts';
import type { Output } from '../output.ts';
import { BACKSLASH, CLOSE_CURLY, COMMA, OPEN_CURLY, QUOTE, SPACE } from '../split/splitter.ts';
import { type TimeReader, timeProblem, timeReader } from '../times/reader.ts';
import type { Converter } from './converter.ts';
import { booleanOf, isInteger, isNullText, numberForm } from './csvValues.ts';
import { ESCAPED_MAX, writeEscape } from './jsonText.ts';

const ZERO = 0x30;
const MINUS = 0x2d;

/** Column types as numbers, which the loop over values compares faster. */
const STRING = 0;
const INTEGER = 1;
const NUMBER = 2;
const BOOLEAN = 3;
/** The column `_time` of a file whose times are converted. It isn't sent, because the converted time is the `_time`. */
const OMITTED = 4;

const codes = { string: STRING, integer: INTEGER, number: NUMBER, boolean: BOOLEAN } as const;

export const repeatedHeaderReason = 'It repeats the header line.';

export class CsvConverter implements Converter {
  readonly #names: readonly string[];
  readonly #delimiter: number;
  readonly #header: Buffer | undefined;
  /** The encoded `"name":` of each column. */
  readonly #keys: readonly Buffer[];
  readonly #keyBytes: number;
  readonly #types: Uint8Array;
  readonly #timeColumn: number;
  readonly #time: TimeSettings | undefined;
  readonly #readTime: TimeReader | undefined;
  /** Per column, the number of values that don't match its type. */
  readonly mistyped: Float64Array;
  time: Instant | undefined;

  /** `header` is the header line. A repetition of it isn't an event. */
  constructor(
    names: readonly string[],
    { delimiter, types }: Pick<CsvSettings, 'delimiter' | 'types'>,
    time: TimeSettings | undefined,
    header?: Buffer,
  ) {
    this.#names = names;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#header = header;
    this.#keys = names.map((name) => Buffer.from(`${JSON.stringify(name)}:`));
    this.#keyBytes = this.#keys.reduce((sum, key) => sum + key.length + 8, 0);
    this.#timeColumn = time === undefined ? -1 : names.indexOf(time.field);
    this.#time = time;
    this.#readTime = time && timeReader(time);
    this.#types = Uint8Array.from(names, (name) =>
      this.#timeColumn >= 0 && name === '_time'
        ? OMITTED
        : codes[(Object.hasOwn(types, name) ? types[name] : undefined) ?? 'string'],
    );
    this.mistyped = new Float64Array(names.length);
  }

  convert(buffer: Buffer, start: number, end: number, output: Output): string | undefined {
    this.time = undefined;
    output.reserve((end - start) * ESCAPED_MAX + this.#keyBytes + 64);
    const header = this.#header;
    if (
      header !== undefined &&
      end - start === header.length &&
      buffer.compare(header, 0, header.length, start, end) === 0
    ) {
      return repeatedHeaderReason;
    }
    const { bytes } = output;
    const delimiter = this.#delimiter;
    const keys = this.#keys;
    const types = this.#types;
    let to = output.length;
    let column = 0;
    let at = start;
    let first = true;
    bytes[to++] = OPEN_CURLY;
    for (;;) {
      if (column >= keys.length) {
        return this.#ragged(keys.length + 1 + valuesAfter(buffer, at, end, delimiter));
      }
      const type = types[column] as number;
      const quoted = at < end && buffer[at] === QUOTE;
      const valueStart = quoted ? at + 1 : at;
      let valueEnd = valueStart;
      if (type !== OMITTED) {
        if (first) first = false;
        else bytes[to++] = COMMA;
        const key = keys[column] as Buffer;
        for (let index = 0; index < key.length; index += 1) bytes[to++] = key[index] as number;
      }
      const valueTo = to;
      // The value is first written as a string, then rewritten if it matches the column's type.
      bytes[to++] = QUOTE;
      if (quoted) {
        for (; valueEnd < end; valueEnd += 1) {
          const byte = buffer[valueEnd] as number;
          if (byte === QUOTE) {
            if (valueEnd + 1 >= end || buffer[valueEnd + 1] !== QUOTE) break;
            valueEnd += 1;
            to = writeEscape(bytes, to, QUOTE);
          } else if (byte < SPACE || byte === BACKSLASH) to = writeEscape(bytes, to, byte);
          else bytes[to++] = byte;
        }
        at = valueEnd + 1;
      } else {
        for (; valueEnd < end; valueEnd += 1) {
          const byte = buffer[valueEnd] as number;
          if (byte === delimiter) break;
          if (byte < SPACE || byte === BACKSLASH || byte === QUOTE)
            to = writeEscape(bytes, to, byte);
          else bytes[to++] = byte;
        }
        at = valueEnd;
      }
      bytes[to++] = QUOTE;
      if (column === this.#timeColumn && !isNullText(buffer, valueStart, valueEnd)) {
        const problem = this.#readTimeOf(buffer, valueStart, valueEnd);
        if (problem !== undefined) return problem;
      }
      if (type === OMITTED) to = valueTo;
      else if (type !== STRING) {
        const written = writeTyped(buffer, valueStart, valueEnd, type, bytes, valueTo, !quoted);
        if (written >= 0) to = written;
        else (this.mistyped[column] as number) += 1;
      }
      column += 1;
      if (at >= end) break;
      // Skips the delimiter.
      at += 1;
    }
    if (column < keys.length) return this.#ragged(column);
    output.length = to;
    if (this.time !== undefined) {
      output.ascii(first ? '"_time":' : ',"_time":');
      output.instant(this.time);
    }
    output.byte(CLOSE_CURLY);
    return undefined;
  }

  #readTimeOf(buffer: Buffer, start: number, end: number): string | undefined {
    // Times are ASCII, so the faster latin1 decoding is enough.
    const text = buffer.toString('latin1', start, end).trim();
    if (text === '') return undefined;
    this.time = this.#readTime?.(text);
    if (this.time !== undefined || this.#time === undefined) return undefined;
    return timeProblem(this.#time, buffer.toString('utf8', start, end).trim());
  }

  #ragged(count: number): string {
    const expected = this.#names.length;
    return `It has ${counted(count, 'value')} for ${counted(expected, 'column')}.`;
  }
}

function writeTyped(
  buffer: Buffer,
  start: number,
  end: number,
  type: number,
  bytes: Buffer,
  at: number,
  nullable: boolean,
): number {
  if (nullable && isNullText(buffer, start, end)) return writeLiteral(bytes, at, NULL);
  if (type === BOOLEAN) {
    const value = booleanOf(buffer, start, end);
    return value === undefined ? -1 : writeLiteral(bytes, at, value ? TRUE : FALSE);
  }
  let to = at;
  let from = start;
  let close = false;
  if (type === INTEGER) {
    if (!isInteger(buffer, start, end)) return -1;
  } else {
    const form = numberForm(buffer, start, end);
    if (form === undefined) return -1;
    if (form === 'bareStart') {
      if (buffer[from] === MINUS) {
        bytes[to++] = MINUS;
        from += 1;
      }
      bytes[to++] = ZERO;
    } else close = form === 'bareEnd';
  }
  while (from < end) bytes[to++] = buffer[from++] as number;
  if (close) bytes[to++] = ZERO;
  return to;
}

const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

function writeLiteral(bytes: Buffer, at: number, literal: Buffer): number {
  for (let index = 0; index < literal.length; index += 1)
    bytes[at + index] = literal[index] as number;
  return at + literal.length;
}

/** Counts the delimiters outside quotes in the rest of a record. */
function valuesAfter(buffer: Buffer, start: number, end: number, delimiter: number): number {
  let count = 0;
  let quoted = false;
  for (let at = start; at < end; at += 1) {
    const byte = buffer[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === delimiter && !quoted) count += 1;
  }
  return count;
}

/** Returns a record's values without quotes. */
export function csvCells(record: Buffer, delimiter: string): string[] {
  return csvValues(record, delimiter).map(({ text }) => text);
}

/** Returns a record's values. The record has no line end outside quotes. */
export function csvValues(record: Buffer, delimiter: string): CsvValue[] {
  const text = record.toString();
  const values: CsvValue[] = [];
  for (let at = 0; ; ) {
    const value = csvValueAt(text, at, delimiter);
    values.push(value);
    if (value.end >= text.length) return values;
    at = value.end + 1;
  }
}

/** Derives column names: an empty name becomes `column` and its position, and repeated names get a number. */
export function columnNames(cells: readonly string[]): string[] {
  const taken = new Set(cells.map((cell) => cell.trim()));
  const used = new Set<string>();
  return cells.map((cell, index) => {
    const name = cell.trim() === '' ? `column${index + 1}` : cell.trim();
    let unique = name;
    for (let count = 2; used.has(unique) || (unique !== name && taken.has(unique)); count += 1) {
      unique = `${name}_${count}`;
    }
    used.add(unique);
    return unique;
  });
}
