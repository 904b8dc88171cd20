// Strings as JSON, byte by byte.
import { BACKSLASH, QUOTE } from '../cut/cutter.ts';
import type { Output } from '../output.ts';

const HEX = Buffer.from('0123456789abcdef');
const SHORT: Readonly<Record<number, number>> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72 };

/** The most bytes that a byte of text becomes. */
export const ESCAPED_MAX = 6;

/** Writes a byte that cannot be in a JSON string as it is; returns where writing goes on. */
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

/** Writes bytes of text as a JSON string, quotes included. */
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
 * After the string in quotes that starts at `start`; -1 where it does not end. A loop, since a pattern that follows
 * escapes runs out of stack in a string of megabytes.
 */
export function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}
