/**
 * Finds the end of a run of ordinary string characters, four bytes at a time. Decoding spends most of its time here.
 */
import { backslash, quote } from './tokens.ts';

/** Marks the bytes that end a run: quotes, backslashes and control characters. */
const endsRun = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === quote || byte === backslash ? 1 : 0,
);

export const noWords = new Int32Array(0);

/** Returns a view of the first `limit` bytes as words; empty if they aren't aligned. */
export function wordsOf(bytes: Uint8Array, limit: number): Int32Array {
  if ((bytes.byteOffset & 3) !== 0) return noWords;
  return new Int32Array(bytes.buffer, bytes.byteOffset, limit >>> 2);
}

/** Returns the index of the first byte from `at` on that ends the run, or `limit`. */
export function runEnd(bytes: Uint8Array, words: Int32Array, at: number, limit: number): number {
  while (at < limit && (at & 3) !== 0) {
    if (endsRun[bytes[at] as number] === 1) return at;
    at++;
  }
  let word = at >>> 2;
  while (word < words.length && isOrdinary(words[word] as number)) word++;
  at = Math.max(at, word << 2);
  while (at < limit && endsRun[bytes[at] as number] === 0) at++;
  return at;
}

/**
 * Whether none of a word's four bytes ends a run. The exclusive or turns quotes and backslashes into 0. Subtracting 1
 * sets the top bit of a byte that was 0, and subtracting 0x20 that of a control character. A borrow may set further top
 * bits, but only if there is such a byte.
 */
function isOrdinary(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const found =
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes) |
    ((word - 0x20202020) & ~word);
  return (found & 0x80808080) === 0;
}
