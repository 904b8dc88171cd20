// Reads a file part by part, each preceded by the incomplete rest of the previous one. The next part is read while the
// current one is processed.
import type { ByteStream } from './byteStream.ts';

/** Size of a window in bytes, small enough for the processor's cache. */
export const WINDOW_BYTES = 1024 * 1024;

export class Windows {
  readonly #stream: ByteStream;
  readonly #until: number;
  readonly #size: number;
  /** Room ahead of the bytes read, for the rest of the previous window. */
  readonly #headroom: number;
  #spare: Buffer;
  /** The pending read into `#spare`. */
  #nextRead: Promise<ReadResult> | undefined;
  /** The file offset of the next part. */
  #offset: number;

  /** The window: the bytes of `buffer` from `start` to `end`. */
  buffer: Buffer;
  start = 0;
  end = 0;
  /** The offset in the file of the buffer's first byte. */
  base: number;
  /** Stored bytes of the file read up to the end of the window. */
  stored = 0;
  /** Whether the window ends at the end of the file or of the range to read. */
  final = false;

  constructor(stream: ByteStream, offset: number, until: number, size: number) {
    this.#stream = stream;
    this.#offset = offset;
    this.#until = until;
    this.#size = size;
    this.#headroom = Math.ceil(size / 8);
    this.#spare = this.#allocate(size);
    this.buffer = this.#allocate(size);
    this.base = offset;
  }

  /** Moves to the next window, which starts with the bytes after `consumed` in this one. */
  async advance(consumed: number): Promise<void> {
    const { bytes, requested, stored } = await (this.#nextRead ?? this.#read());
    const rest = this.end - consumed;
    const offset = this.base + consumed;
    const headroom = this.#headroom;
    if (rest <= headroom) {
      this.buffer.copy(this.#spare, headroom - rest, consumed, this.end);
      const { buffer } = this;
      this.buffer = this.#spare;
      this.#spare = buffer;
      this.start = headroom - rest;
    } else {
      // The event doesn't fit. The next read is as large again, so that it is scanned only a few times.
      const larger = this.#allocate(rest + bytes);
      this.buffer.copy(larger, headroom, consumed, this.end);
      this.#spare.copy(larger, headroom + rest, headroom, headroom + bytes);
      this.buffer = larger;
      this.start = headroom;
    }
    this.end = this.start + rest + bytes;
    this.base = offset - this.start;
    this.stored = stored;
    this.final = bytes < requested;
    const size = Math.max(this.#size, rest);
    if (this.#spare.length !== headroom + size) this.#spare = this.#allocate(size);
    this.#nextRead = this.final ? undefined : this.#read();
    // The next call to `advance` gets the error.
    this.#nextRead?.catch(() => {});
  }

  async #read(): Promise<ReadResult> {
    const headroom = this.#headroom;
    // Requests one byte more than there is, to detect the end.
    const requested = Math.min(this.#spare.length - headroom, this.#until - this.#offset + 1);
    const room = Math.min(requested, this.#until - this.#offset);
    const bytes = await this.#stream.fill(this.#spare.subarray(0, headroom + room), headroom);
    this.#offset += bytes;
    return { bytes, requested, stored: this.#stream.stored };
  }

  #allocate(size: number): Buffer {
    return Buffer.allocUnsafeSlow(this.#headroom + size);
  }
}

interface ReadResult {
  readonly bytes: number;
  readonly requested: number;
  readonly stored: number;
}
