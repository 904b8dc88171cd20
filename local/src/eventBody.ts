/** Reads and scans an ingest body. Writes a large body to a spool file to save memory. */
import { INGEST_EVENTS_MAX } from '../../api/src/index.ts';
import { Pieces } from './body.ts';
import { ApiError } from './errors.ts';
import { LineScan, type Scan } from './store/ingest/scan.ts';
import type { Spool, SpoolFile } from './store/spool.ts';

/** Number of bytes to buffer in memory before writing them to the spool file. */
const BUFFERED_BYTES_MAX = 512 * 1_024;

export class EventBody {
  readonly #spool: Spool;
  #lines: LineScan | undefined;
  readonly #buffered = new Pieces();
  /** The first bytes of the body, until they are checked for a byte order mark. */
  #first: Buffer | undefined = Buffer.alloc(0);
  #all: Buffer | undefined;
  #length = 0;
  #file: SpoolFile | undefined;

  private constructor(spool: Spool, byLines: boolean) {
    this.#spool = spool;
    this.#lines = byLines ? new LineScan() : undefined;
  }

  /**
   * Reads a body to its end. The caller must release the result. `byLines` means that each line is an event. Calls
   * `arrived` with each chunk's length, and waits for the promise that it may return. Throws an ApiError if there are
   * too many events.
   */
  static async read(
    pieces: AsyncIterable<Buffer>,
    spool: Spool,
    byLines: boolean,
    arrived?: (bytes: number) => Promise<void> | undefined,
  ): Promise<EventBody> {
    const body = new EventBody(spool, byLines);
    try {
      for await (const piece of pieces) {
        body.#length += piece.length;
        const room = arrived?.(piece.length);
        const unmarked = body.#withoutByteOrderMark(piece);
        if (unmarked !== undefined) body.#add(unmarked);
        if (body.#buffered.bytes >= BUFFERED_BYTES_MAX) await body.#write();
        if (room !== undefined) await room;
      }
      if (body.#first !== undefined) body.#add(body.#first);
      if (body.#file !== undefined) await body.#write();
      return body;
    } catch (error) {
      await body.release();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** The result of scanning the lines. Undefined if the body was not scanned by lines or was replaced. */
  get scan(): Scan | undefined {
    return this.#lines?.end();
  }

  /** Returns the bytes of the body, which stay in memory until the body is released. */
  async bytes(): Promise<Buffer> {
    if (this.#all !== undefined) return this.#all;
    if (this.#file !== undefined) {
      this.#all = await this.#file.read();
    } else {
      const buffered = this.#buffered.take();
      this.#all = buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered);
      this.#buffered.add(this.#all);
    }
    return this.#all;
  }

  /** Returns the path of a file with the body. The file exists until the body is released. */
  async path(): Promise<string> {
    const isOneByte = this.#file === undefined && this.#buffered.bytes === 1;
    await this.#write();
    // DuckDB treats a one-byte file as empty.
    if (isOneByte) await this.#file!.append([Buffer.from('\n')]);
    await this.#file!.end();
    return this.#file!.path;
  }

  async replace(bytes: Buffer): Promise<void> {
    await this.release();
    this.#buffered.add(bytes);
    this.#all = bytes;
    this.#lines = undefined;
  }

  async release(): Promise<void> {
    await this.#file?.release();
    this.#file = undefined;
    this.#buffered.take();
    this.#all = undefined;
  }

  #withoutByteOrderMark(piece: Buffer): Buffer | undefined {
    if (this.#first === undefined) return piece;
    const first = this.#first.length === 0 ? piece : Buffer.concat([this.#first, piece]);
    this.#first = first.length < BYTE_ORDER_MARK.length ? first : undefined;
    if (this.#first !== undefined) return undefined;
    return first.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      ? first.subarray(BYTE_ORDER_MARK.length)
      : first;
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#lines !== undefined) {
      this.#lines.add(piece);
      if (this.#lines.events > INGEST_EVENTS_MAX) {
        throw new ApiError('events-too-many', { limit: INGEST_EVENTS_MAX });
      }
    }
    this.#buffered.add(piece);
  }

  async #write(): Promise<void> {
    const buffered = this.#buffered.take();
    this.#file ??= await this.#spool.file();
    await this.#file.append(buffered);
    for (const piece of buffered) if (piece !== this.#all) freeMemory(piece);
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

// Frees a chunk's memory immediately. Garbage collection would free it later, and a large ingest would keep allocating
// new memory.
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
