/**
 * Stores consecutive UTF-8 strings, addressed by number. Lone surrogates, which UTF-8 can't represent, are encoded as
 * three bytes. Growing by segments avoids large copies.
 */
import { Buffer } from 'node:buffer';
import { roomFor, trimmed } from './growable.ts';

const segmentBits = 20;
const segmentBytes = 1 << segmentBits;
const firstSegmentBytes = 256;

/** The maximum number of bytes, which 32-bit offsets can address. */
const bytesMax = 2 ** 32 - 1;

const empty = Buffer.alloc(0);

/** Thrown when a store needs more memory than it can address. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export class ByteHeap {
  /** The stored bytes. All segments except the last are full. */
  readonly #segments: Buffer[] = [empty];
  #end = 0;
  /** The start offset of each string, followed by the end offset of the last. */
  #offsets = new Uint32Array(1);
  count = 0;
  hasLoneSurrogates = false;

  /** Adds a string and returns its number. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    const end = this.#end + length;
    if (end > bytesMax) throw new TooLarge('A column has more than 4 GB of text.');
    const segment = this.#segments[this.#segments.length - 1] as Buffer;
    const at = this.#end & (segmentBytes - 1);
    if (at + length <= segment.length && (at > 0 || this.#end === 0))
      copy(bytes, from, to, segment, at);
    else this.#addSlowly(bytes, from, to);
    this.#end = end;
    this.count++;
    if (this.count >= this.#offsets.length) this.#offsets = roomFor(this.#offsets, this.count);
    this.#offsets[this.count] = end;
    return this.count - 1;
  }

  /** Fills the last segment, and adds as many new segments as needed. */
  #addSlowly(bytes: Uint8Array, from: number, to: number): void {
    let position = this.#end;
    let next = from;
    while (next < to) {
      const index = position >>> segmentBits;
      const at = position & (segmentBytes - 1);
      const length = Math.min(to - next, segmentBytes - at);
      copy(bytes, next, next + length, this.#segment(index, at + length), at);
      next += length;
      position += length;
    }
  }

  #segment(index: number, length: number): Buffer {
    const segment = this.#segments[index];
    if (segment !== undefined && segment.length >= length) return segment;
    const capacity = Math.max(firstSegmentBytes, length, (segment?.length ?? 0) * 2);
    // Start small only in the first segment, because a heap that fills one segment will probably fill another.
    const larger = Buffer.allocUnsafeSlow(
      index > 0 ? segmentBytes : Math.min(segmentBytes, capacity),
    );
    segment?.copy(larger);
    this.#segments[index] = larger;
    return larger;
  }

  start(entry: number): number {
    return this.#offsets[entry] as number;
  }

  end(entry: number): number {
    return this.#offsets[entry + 1] as number;
  }

  /** Returns a string's length in bytes. */
  length(entry: number): number {
    return this.end(entry) - this.start(entry);
  }

  byteAt(position: number): number {
    const segment = this.#segments[position >>> segmentBits] as Buffer;
    return segment[position & (segmentBytes - 1)] as number;
  }

  /** Returns the bytes `[from, to)`: a view if they are in one segment, otherwise a copy. */
  bytesOf(from: number, to: number): Buffer {
    if (from === to) return empty;
    const first = from >>> segmentBits;
    const last = (to - 1) >>> segmentBits;
    const segment = this.#segments[first] as Buffer;
    const at = from & (segmentBytes - 1);
    if (first === last) return segment.subarray(at, at + to - from);
    const joined = Buffer.allocUnsafeSlow(to - from);
    for (let position = from; position < to; ) {
      const part = this.#segments[position >>> segmentBits] as Buffer;
      const start = position & (segmentBytes - 1);
      const end = Math.min(segmentBytes, start + to - position);
      part.copy(joined, position - from, start, end);
      position += end - start;
    }
    return joined;
  }

  /** Whether a string has exactly these bytes. */
  equals(entry: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#offsets[entry] as number;
    const length = (this.#offsets[entry + 1] as number) - start;
    if (length !== to - from) return false;
    const at = start & (segmentBytes - 1);
    if (at + length > segmentBytes)
      return this.bytesOf(start, start + length).equals(bytes.subarray(from, to));
    const segment = this.#segments[start >>> segmentBits] as Buffer;
    for (let index = 0; index < length; index++)
      if (segment[at + index] !== bytes[from + index]) return false;
    return true;
  }

  text(entry: number): string {
    const from = this.#offsets[entry] as number;
    const to = this.#offsets[entry + 1] as number;
    const at = from & (segmentBytes - 1);
    if (this.hasLoneSurrogates) return looseText(this.bytesOf(from, to));
    if (at + to - from > segmentBytes) return this.bytesOf(from, to).toString('utf8');
    const segment = this.#segments[from >>> segmentBits] as Buffer | undefined;
    return segment?.toString('utf8', at, at + to - from) ?? '';
  }

  trim(): void {
    this.#offsets = trimmed(this.#offsets, this.count + 1);
    const index = this.#segments.length - 1;
    const segment = this.#segments[index] as Buffer;
    const used = this.#end - index * segmentBytes;
    if (used < segment.length) {
      const cut = Buffer.allocUnsafeSlow(used);
      segment.copy(cut, 0, 0, used);
      this.#segments[index] = cut;
    }
  }

  get bytes(): number {
    let bytes = this.#offsets.byteLength;
    for (const segment of this.#segments) bytes += segment.length;
    return bytes;
  }
}

function copy(bytes: Uint8Array, from: number, to: number, target: Buffer, at: number): void {
  // Copy few bytes in a loop, which is faster than calling `set`.
  if (to - from > 96) target.set(bytes.subarray(from, to), at);
  else for (let index = from; index < to; index++) target[at++] = bytes[index] as number;
}

/** Decodes UTF-8 that may contain three-byte surrogates. */
function looseText(bytes: Buffer): string {
  let text = '';
  let copied = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] as number;
    if (second < 0xa0) continue;
    const unit = 0xd000 | ((second & 0x3f) << 6) | ((bytes[at + 2] as number) & 0x3f);
    text += bytes.toString('utf8', copied, at) + String.fromCharCode(unit);
    copied = at + 3;
  }
  return text + bytes.toString('utf8', copied);
}
