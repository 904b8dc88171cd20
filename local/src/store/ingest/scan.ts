/**
 * Scans JSON events before DuckDB reads them, because DuckDB's reader overflows the stack on values with about ten
 * thousand nested levels. Native search finds line ends. Only long lines with many brackets and formats without lines
 * are scanned byte by byte.
 */
import { INGEST_NESTING_MAX } from '../../../../api/src/index.ts';

export type JsonFormat = 'newline_delimited' | 'array' | 'unstructured';

export interface Scan {
  /** The number of events in valid JSON. Undefined for concatenated values and for an array that is too deep. */
  readonly events: number | undefined;
  /** The length of the longest line in bytes, or of the entire input if the format has no lines. */
  readonly longestBytes: number;
  /** Whether any value is nested deeper than the service stores. */
  readonly isDeep: boolean;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// A line up to this length can't be nested dangerously deep, because every level takes at least one byte.
const SAFE_LINE_BYTES = 1_024;

/** Scans JSON events. Without `checkShortLines`, short lines don't affect `isDeep`. */
export function scanJson(bytes: Buffer, format: JsonFormat, checkShortLines = false): Scan {
  if (format === 'newline_delimited') {
    const lines = new LineScan(checkShortLines);
    lines.add(bytes);
    return lines.end();
  }
  const levels = INGEST_NESTING_MAX + (format === 'array' ? 1 : 0);
  const { deep, items } = walk(bytes, 0, bytes.length, levels);
  return {
    events: format === 'array' ? items : undefined,
    longestBytes: bytes.length,
    isDeep: deep,
  };
}

/** Incomplete lines up to this length, in bytes, are buffered. Longer lines are scanned byte by byte. */
const LINE_START_BYTES_MAX = 256 * 1_024;

/** Scans lines in a stream of chunks, which may split a line anywhere. */
export class LineScan {
  readonly #safeBytes: number;
  #events = 0;
  #longestBytes = 0;
  #deep = false;
  /** The start of an incomplete line, copied because chunks are freed after use. */
  #lineStart = Buffer.alloc(0);
  #lineStartLength = 0;
  /** Scans the incomplete line byte by byte. Undefined until the line exceeds the buffer. */
  #longLine: LongLineScan | undefined;

  constructor(checkShortLines = false) {
    this.#safeBytes = checkShortLines ? 2 * INGEST_NESTING_MAX : SAFE_LINE_BYTES;
  }

  get events(): number {
    return this.#events;
  }

  add(piece: Buffer): void {
    let start = 0;
    if (this.#lineStartLength > 0) {
      const end = piece.indexOf(NEWLINE);
      this.#extendLine(end < 0 ? piece : piece.subarray(0, end));
      if (end < 0) return;
      this.#endLine();
      start = end + 1;
    }
    for (;;) {
      if (start < piece.length && piece[start]! <= SPACE) start = this.#blankLines(piece, start);
      const end = piece.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#line(piece, start, end);
      start = end + 1;
    }
    if (start < piece.length) this.#extendLine(piece.subarray(start));
  }

  end(): Scan {
    if (this.#lineStartLength > 0) this.#endLine();
    return { events: this.#events, longestBytes: this.#longestBytes, isDeep: this.#deep };
  }

  /** Skips blank lines byte by byte, which is faster than native search. */
  #blankLines(bytes: Buffer, start: number): number {
    let lineStart = start;
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (byte === NEWLINE) {
        if (at - lineStart > this.#longestBytes) this.#longestBytes = at - lineStart;
        lineStart = at + 1;
      } else if (!isBlankByte(byte)) {
        break;
      }
    }
    return lineStart;
  }

  #extendLine(part: Buffer): void {
    const length = this.#lineStartLength + part.length;
    if (this.#longLine === undefined && length > LINE_START_BYTES_MAX) {
      this.#longLine = new LongLineScan();
      this.#longLine.add(this.#lineStart, this.#lineStartLength);
    }
    if (this.#longLine !== undefined) {
      this.#longLine.add(part, part.length);
    } else {
      if (length > this.#lineStart.length) {
        const larger = Buffer.allocUnsafe(Math.min(2 * length, LINE_START_BYTES_MAX));
        this.#lineStart.copy(larger, 0, 0, this.#lineStartLength);
        this.#lineStart = larger;
      }
      part.copy(this.#lineStart, this.#lineStartLength);
    }
    this.#lineStartLength = length;
  }

  #endLine(): void {
    const longLine = this.#longLine;
    const length = this.#lineStartLength;
    this.#lineStartLength = 0;
    if (longLine === undefined) {
      this.#line(this.#lineStart, 0, length);
      return;
    }
    this.#longLine = undefined;
    if (!longLine.blank) this.#events += 1;
    if (length > this.#longestBytes) this.#longestBytes = length;
    if (longLine.deep) this.#deep = true;
  }

  #line(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    if (!isBlank(bytes, start, end)) this.#events += 1;
    if (length > this.#longestBytes) this.#longestBytes = length;
    if (length > this.#safeBytes && !this.#deep && hasManyBrackets(bytes, start, end)) {
      this.#deep = walk(bytes, start, end, INGEST_NESTING_MAX).deep;
    }
  }
}

/** Measures the nesting depth of a line that arrives in several parts. */
class LongLineScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  blank = true;

  add(part: Buffer, length: number): void {
    // Use local variables, because this loop runs for every byte.
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let blank = this.blank;
    for (let at = 0; at < length && depth <= INGEST_NESTING_MAX; at += 1) {
      const byte = part[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (blank && !isBlankByte(byte)) blank = false;
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    this.blank = blank;
  }

  get deep(): boolean {
    return this.#depth > INGEST_NESTING_MAX;
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (!isBlankByte(bytes[at]!)) return false;
  }
  return true;
}

const isBlankByte = (byte: number) => byte === SPACE || byte === TAB || byte === RETURN;

// Only a line with more opening brackets than allowed levels can be too deep.
function hasManyBrackets(bytes: Buffer, start: number, end: number): boolean {
  // Search only within the line, because the search for a bracket would otherwise scan to the end of the file.
  const line = bytes.subarray(start, end);
  let count = 0;
  for (const bracket of [OPEN_LIST, OPEN_OBJECT]) {
    for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > INGEST_NESTING_MAX) return true;
    }
  }
  return false;
}

// Returns whether values are nested deeper than `levels`, and the number of items in the outermost array.
function walk(bytes: Buffer, start: number, end: number, levels: number) {
  let depth = 0;
  let commas = 0;
  let empty = true;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte <= SPACE) continue;
    if (depth === 1 && byte !== CLOSE_LIST) empty = false;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at, end);
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth > levels) return { deep: true, items: undefined };
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
    } else if (byte === COMMA && depth === 1) {
      commas += 1;
    }
  }
  return { deep: false, items: empty ? 0 : commas + 1 };
}

export function stringEnd(bytes: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return end;
}
