// Writes JSON strings byte by byte.

import type { Output } from '../output.ts';
import { BACKSLASH, QUOTE } from '../split/splitter.ts';

const HEX = Buffer.from('0123456789abcdef');
const SHORT: Readonly<Record<number, number>> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72 };

/** Maximum number of bytes that one byte of text is escaped to. */
export const ESCAPED_MAX = 6;

/** Escapes a byte that a JSON string can't contain as it is. Returns the next write offset. */
export function writeEscape(bytes: Buffer, at: number, byte: number): number {
  bytes[at] = BACKSLASH;
  if (byte === QUOTE || byte === BACKSLASH) {
    bytes[at + 1] = byte;
    return at + 2;
  }
  const short = SHORT[byte];
  if (short !== undefined) {
    bytes[at + 1] = short;
    return at + 2;
  }
  bytes[at + 1] = 0x75;
  bytes[at + 2] = 0x30;
  bytes[at + 3] = 0x30;
  bytes[at + 4] = HEX[byte >> 4] as number;
  bytes[at + 5] = HEX[byte & 15] as number;
  return at + 6;
}

/** Writes bytes of text as a JSON string, including quotes. */
export function writeString(output: Output, source: Buffer, start: number, end: number): void {
  output.reserve((end - start) * ESCAPED_MAX + 2);
  const { bytes } = output;
  let to = output.length;
  bytes[to++] = QUOTE;
  for (let at = start; at < end; at += 1) {
    const byte = source[at] as number;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) to = writeEscape(bytes, to, byte);
    else bytes[to++] = byte;
  }
  bytes[to++] = QUOTE;
  output.length = to;
}

/**
 * Returns the offset after the quoted string at `start`, or -1 if it isn't closed. A loop, because a regular expression
 * with escapes runs out of stack on strings of megabytes.
 */
export function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}
