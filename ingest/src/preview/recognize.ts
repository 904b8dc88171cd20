// Recognizes a file's format from its content. The name matters only for CSV: with a CSV extension, up to half of the
// records may differ in length, and a single column is enough.
import { csvCells } from '../read/convert/csvRow.ts';
import { pairsOf } from '../read/convert/logfmt.ts';
import { CsvSplitter } from '../read/split/csvRecords.ts';
import type { EventSink } from '../read/split/splitter.ts';
import type { EventFormat } from '../settings.ts';

export const DELIMITERS = [',', '\t', ';', '|'] as const;

/** Maximum number of lines or records examined. */
const SAMPLE = 100;

export interface Recognized {
  readonly format: EventFormat;
  /** The delimiter, for `csv`. */
  readonly delimiter?: string;
}

const EXTENSIONS: Readonly<Record<string, EventFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  psv: 'csv',
  log: 'lines',
  txt: 'lines',
};

export function recognize(name: string, bytes: Buffer, complete: boolean): Recognized {
  const text = bytes.toString('utf8', 0, 256 * 1024);
  const isTruncated = !complete || bytes.length > 256 * 1024;
  const trimmed = text.trimStart();
  const json = jsonFormat(trimmed, isTruncated);
  if (json !== undefined) return { format: json };
  const lines = linesOf(text, isTruncated);
  if (isLogfmt(lines)) return { format: 'logfmt' };
  const named = EXTENSIONS[extensionOf(name)];
  const delimiter = delimiterOf(bytes.subarray(0, 256 * 1024), !isTruncated, name, named === 'csv');
  return delimiter === undefined ? { format: 'lines' } : { format: 'csv', delimiter };
}

/** Returns a file name's extension, ignoring compression extensions. */
export function extensionOf(name: string): string {
  return /\.([^.]+?)(?:\.(?:gz|gzip|zst|zstd))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function jsonFormat(text: string, isTruncated: boolean): 'json' | 'ndjson' | undefined {
  if (text.startsWith('[')) {
    // A log line may also start with a bracket.
    return /^\[\s*(?:[[{\]]|$)/.test(text) ||
      isJson(firstLine(text)) ||
      (!isTruncated && isJson(text))
      ? 'json'
      : undefined;
  }
  if (!/^\{\s*(?:["}]|$)/.test(text)) return undefined;
  // Files with carriage returns alone are left to the reader that doesn't depend on lines.
  const lines = linesOf(text, isTruncated);
  if (lines.length < 2) return 'json';
  const [first = '', ...rest] = lines;
  if (isObject(first)) return 'ndjson';
  // Either the first line is broken, or it is one document with objects on separate lines, mostly followed by commas.
  const objects = rest.filter(
    (line) => line.startsWith('{') && line.endsWith('}') && isObject(line),
  );
  return objects.length >= lines.length / 2 ? 'ndjson' : 'json';
}

/** Returns complete, nonblank lines, trimmed. */
function linesOf(text: string, isTruncated: boolean): string[] {
  const lines = text.split(/\r\n|\n|\r/, SAMPLE + 1);
  if (lines.length > SAMPLE || isTruncated) lines.pop();
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0]?.trim() ?? '';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isObject(line: string): boolean {
  return isJson(line.replace(/,$/, ''));
}

function isLogfmt(lines: readonly string[]): boolean {
  if (lines.length === 0) return false;
  let pairs = 0;
  let words = 0;
  let good = 0;
  for (const line of lines) {
    const found = pairsOf(line);
    const here = found.filter(({ value }) => value !== undefined).length;
    pairs += here;
    words += found.length - here;
    const [first] = found;
    if (first?.value !== undefined && /^[\p{L}_@][\p{L}\p{N}_.@/-]*$/u.test(first.key) && here >= 2)
      good += 1;
  }
  return good >= lines.length * 0.8 && pairs > words;
}

/**
 * Returns the delimiter with which most records have the same number of values; undefined if there is none. A file
 * named as CSV always has one.
 */
function delimiterOf(
  bytes: Buffer,
  complete: boolean,
  name: string,
  named: boolean,
): string | undefined {
  let best: { delimiter: string; score: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(bytes, complete, delimiter, named);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  if (best !== undefined) return best.delimiter;
  // The file has a single column.
  return named ? (extensionOf(name) === 'csv' ? ',' : '\t') : undefined;
}

function scoreOf(bytes: Buffer, complete: boolean, delimiter: string, named: boolean): number {
  const records = recordsOf(bytes, complete, delimiter);
  const [first] = records;
  if (first === undefined) return 0;
  const widths = new Map<number, number>();
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width, count] = [...widths].reduce((most, next) => (next[1] > most[1] ? next : most));
  if (width < 2) return 0;
  const share = count / records.length;
  if (named) return share >= 0.5 ? share * Math.log2(width + 1) : 0;
  if (share < 0.9 || records.length < 2) return 0;
  // Prose and logs also contain commas, but no line of short names above them.
  const names = isHeader(records);
  if (!names && (records.length < 3 || width < 3 || share < 1 || hasSentences(records))) return 0;
  return share * Math.log2(width + 1);
}

function hasSentences(records: readonly (readonly string[])[]): boolean {
  const cells = records.flat();
  return cells.filter((cell) => cell.trim().split(/\s+/).length > 6).length > cells.length / 20;
}

/** Returns the cells of the first records. */
export function recordsOf(bytes: Buffer, complete: boolean, delimiter: string): string[][] {
  const records: string[][] = [];
  const sink: EventSink = {
    get isFull() {
      return records.length >= SAMPLE;
    },
    event: (buffer, start, end) => {
      records.push(csvCells(buffer.subarray(start, end), delimiter));
    },
    broken: () => {},
  };
  const copy = Buffer.from(bytes);
  new CsvSplitter(1, copy.length, delimiter).split(copy, 0, copy.length, complete, true, sink);
  return records;
}

const VALUE =
  /^[+-]?(?:\d[\d.,:/ -]*|\.\d+)(?:[eE][+-]?\d+)?%?$|^(?:true|false|null|nan|na|n\/a)$/i;

const YEAR = /^(?:1[5-9]|20|21)\d\d$/;
/** Matches a short name rather than part of a sentence. */
const NAME = /^[\p{L}_$@#*%(][^\n\r"!?]*[^\n\r"!?.,;]$|^\p{L}$/u;
const NAME_WORDS = 4;

/**
 * Returns whether the first record is a header: words, at least half of them distinct and none of them a value. Years
 * above columns of other values count as names too.
 */
export function isHeader(records: readonly (readonly string[])[]): boolean {
  const [first, ...rest] = records;
  if (first === undefined) return false;
  const cells = first.map((cell) => cell.trim());
  const named = cells.filter((cell) => cell !== '');
  if (named.length === 0 || new Set(named).size < named.length / 2) return false;
  if (named.some((cell) => cell.length > 100)) return false;
  const values = named.filter((cell) => VALUE.test(cell));
  if (values.length === named.length) return false;
  const column = (index: number) => rest.map((record) => (record[index] ?? '').trim());
  if (values.length > 0) {
    const below = column(cells.indexOf(values[0] as string));
    const years = values.every((cell) => YEAR.test(cell));
    return years && values.length >= 3 && !below.some((cell) => YEAR.test(cell));
  }
  if (rest.length === 0) return true;
  // A column of numbers or dates below a word is conclusive. For columns of words, the form of the names decides.
  const typed = cells.some(
    (cell, index) =>
      cell !== '' && column(index).filter((value) => VALUE.test(value)).length > rest.length / 2,
  );
  if (typed) return true;
  const repeated = cells.some((cell, index) => cell !== '' && column(index).includes(cell));
  const short = named.every((cell) => NAME.test(cell) && cell.split(/\s+/).length <= NAME_WORDS);
  return short && !repeated;
}
