// Detects compression and encoding from a file's first bytes, and converts UTF-16 to UTF-8.
import type { Compression, Encoding } from '../settings.ts';

/** Detects the compression from a file's magic number. */
export function compressionOf(head: Uint8Array): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  // A zstd skippable frame, which parallel compressors write first.
  const skippable = head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
  return skippable && ((head[0] as number) & 0xf0) === 0x50 ? 'zstd' : 'none';
}

/** Returns the length of the byte order mark. */
export function bomLength(head: Uint8Array, encoding: Encoding): number {
  switch (encoding) {
    case 'utf-8':
      return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    case 'utf-16le':
      return head[0] === 0xff && head[1] === 0xfe ? 2 : 0;
    case 'utf-16be':
      return head[0] === 0xfe && head[1] === 0xff ? 2 : 0;
  }
}

/**
 * Detects the encoding of decompressed text: by the byte order mark, otherwise by zero bytes, which UTF-16 has in every
 * other byte of Latin text. Undefined if it isn't text.
 */
export function encodingOf(head: Uint8Array): Encoding | undefined {
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    if (bomLength(head, encoding) > 0) return encoding;
  }
  const zeros = [0, 0];
  const sample = head.subarray(0, 64 * 1024);
  for (let index = 0; index < sample.length; index += 1) {
    if (sample[index] === 0) (zeros[index & 1] as number) += 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  const half = sample.length / 2;
  if (odd > half * 0.7 && even < half * 0.01) return 'utf-16le';
  if (even > half * 0.7 && odd < half * 0.01) return 'utf-16be';
  return even + odd < sample.length / 10 && isTextWithZeros(sample) ? 'utf-8' : undefined;
}

/** Returns whether bytes are UTF-8 with a few zeros, as in a damaged log. Only the lines with zeros are then broken. */
function isTextWithZeros(sample: Uint8Array): boolean {
  if (sample.some((byte) => byte !== 0 && byte < 0x20 && !LINE_CONTROLS.has(byte))) return false;
  // The sample may end within a character.
  for (let cut = 0; cut < 4; cut += 1) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(sample.subarray(0, sample.length - cut));
      return true;
    } catch {}
  }
  return false;
}

/** Control characters found in text: tab, line feed, form feed, carriage return and escape. */
const LINE_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Converts UTF-16 to UTF-8 in chunks. A lone surrogate becomes bytes that aren't UTF-8, because it isn't text. */
export class Utf16Decoder {
  readonly #bigEndian: boolean;
  #pending: Buffer = Buffer.alloc(0);

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.#bigEndian = encoding === 'utf-16be';
  }

  push(chunk: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.#pending, chunk]);
    let length = bytes.length & ~1;
    if (length > 0) {
      const high = bytes[this.#bigEndian ? length - 2 : length - 1] as number;
      if (high >= 0xd8 && high <= 0xdb) length -= 2;
    }
    this.#pending = Buffer.from(bytes.subarray(length));
    return this.#encode(bytes.subarray(0, length));
  }

  end(): Buffer {
    const rest = this.#pending;
    this.#pending = Buffer.alloc(0);
    const even = rest.length & ~1;
    const whole = this.#encode(rest.subarray(0, even));
    return rest.length === even ? whole : Buffer.concat([whole, Buffer.from([0xff])]);
  }

  #encode(bytes: Buffer): Buffer {
    const little = this.#bigEndian ? Buffer.from(bytes).swap16() : bytes;
    const text = little.toString('utf16le');
    return LONE_SURROGATE.test(text) ? encodeIllFormed(text) : Buffer.from(text);
  }
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;

function encodeIllFormed(text: string): Buffer {
  const parts: Buffer[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    parts.push(
      code >= 0xd800 && code <= 0xdfff
        ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
        : Buffer.from(character),
    );
  }
  return Buffer.concat(parts);
}
