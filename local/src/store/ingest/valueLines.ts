/** Puts each JSON value on its own line, because DuckDB stops reading a line at a scalar followed by another value. */
import { stringEnd } from './scan.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Rewrites JSON with one top-level value per line. Malformed JSON stays malformed, but the error may move. */
export function valuesAsLines(bytes: Buffer): Buffer {
  const text = Buffer.from(bytes);
  const lines: Buffer[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!;
    if (byte <= SPACE) {
      if (depth > 0 && (byte === NEWLINE || byte === RETURN)) text[at] = SPACE;
      continue;
    }
    if (byte === QUOTE) at = stringEnd(text, at, text.length);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    else if (depth === 0) at = scalarEnd(text, at);
    if (depth > 0) continue;
    depth = 0;
    lines.push(text.subarray(start, at + 1), LINE_END);
    start = at + 1;
  }
  lines.push(text.subarray(start));
  return Buffer.concat(lines);
}

const LINE_END = Buffer.from('\n');

// Returns the offset of the last byte of a number or word such as `true`.
function scalarEnd(text: Buffer, start: number): number {
  let end = start;
  for (let at = start + 1; at < text.length; at += 1) {
    const byte = text[at]!;
    if (byte <= SPACE || byte === QUOTE || OPENING.has(byte) || CLOSING.has(byte)) break;
    end = at;
  }
  return end;
}
