// A growing byte buffer that batches are written to.

import type { Instant } from '../../../formats/src/rfc3339.ts';
import type { BodyPool } from './bodyPool.ts';
import { QUOTE } from './split/splitter.ts';
import { INSTANT_BYTES, writeInstant } from './times/instant.ts';

export class Output {
  readonly #pool: BodyPool | undefined;
  bytes: Buffer<ArrayBuffer>;
  length = 0;

  /** Buffers come from the pool if one is given. */
  constructor(capacity: number, pool?: BodyPool) {
    this.#pool = pool;
    this.bytes = pool?.take(capacity) ?? allocate(capacity);
  }

  /** Makes room for `count` more bytes, which may replace `bytes`. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = allocate(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  /** Copies `source` from `start` to `end`. */
  copy(source: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    source.copy(this.bytes, this.length, start, end);
    this.length += end - start;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Writes ASCII text. */
  ascii(text: string): void {
    this.reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  /** Writes a time as a JSON string. */
  instant(instant: Instant): void {
    this.reserve(INSTANT_BYTES + 2);
    this.bytes[this.length] = QUOTE;
    writeInstant(this.bytes, this.length + 1, instant);
    this.bytes[this.length + INSTANT_BYTES + 1] = QUOTE;
    this.length += INSTANT_BYTES + 2;
  }

  /** Returns the bytes written so far and starts over. */
  take(capacity: number): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = this.#pool?.take(capacity) ?? allocate(capacity);
    this.length = 0;
    return taken;
  }
}

// Avoids Node's buffer pool, so that a batch owns its memory and can be moved to another thread.
function allocate(capacity: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(capacity);
}
