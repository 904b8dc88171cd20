/** Checks CSV records, because DuckDB ignores surplus values, and an unclosed quote extends to the end of the file. */
import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../errors.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Returns the number of records, without blank lines. Throws an ApiError with the line, counted from `firstLine`, for a
 * wrong number of values, an unclosed or misplaced quote, or invalid UTF-8.
 */
export function countRecords(
  bytes: Buffer,
  delimiter: number,
  columns: number,
  firstLine: number,
): number {
  if (!isUtf8(bytes)) throw malformedError(lineOfInvalid(bytes, firstLine), 'it is not UTF-8 text');
  let records = 0;
  let line = firstLine;
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const startLine = line;
    let values = 1;
    for (;;) {
      if (bytes[at] === QUOTE) {
        const end = quotedEnd(bytes, at);
        if (end < 0) throw malformedError(startLine, 'a quote is opened and never closed');
        line += countNewlines(bytes, at, end);
        at = end;
        const next = bytes[at];
        if (next !== undefined && next !== delimiter && next !== NEWLINE && next !== RETURN) {
          throw malformedError(line, 'something follows a closing quote');
        }
      }
      while (
        at < bytes.length &&
        bytes[at] !== delimiter &&
        bytes[at] !== NEWLINE &&
        bytes[at] !== RETURN
      ) {
        at += 1;
      }
      if (bytes[at] !== delimiter) break;
      values += 1;
      at += 1;
    }
    const blank = at === start;
    if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) at += 1;
    at += 1;
    line += 1;
    if (blank) continue;
    if (values !== columns) {
      const has = values === 1 ? '1 value' : `${values} values`;
      const there = columns === 1 ? 'is 1 column' : `are ${columns} columns`;
      throw malformedError(startLine, `it has ${has}, and there ${there}`);
    }
    records += 1;
  }
  return records;
}

// Returns the offset after the closing quote, or -1 if there is none. Two quotes are an escaped quote.
function quotedEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at += 2) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return -1;
    if (bytes[at + 1] !== QUOTE) return at + 1;
  }
}

function countNewlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at >= 0 && at < end; ) {
    count += 1;
    at = bytes.indexOf(NEWLINE, at + 1);
  }
  return count;
}

function lineOfInvalid(bytes: Buffer, firstLine: number): number {
  let line = firstLine;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

function malformedError(line: number, problem: string): ApiError {
  return new ApiError('events-malformed', { where: `line ${line}`, problem });
}
