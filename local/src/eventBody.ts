/**
 * The body of an ingest request. What arrives goes on to a file of the spool, so that what many clients send
 * at once is not held in memory; lines are looked through on the way.
 */
import { INGEST_EVENTS_MAX } from '../../api/src/index.ts';
import { Pieces } from './body.ts';
import { ApiError } from './errors.ts';
import { LineScan, type Scan } from './store/ingest/scan.ts';
import type { Spool, SpoolFile } from './store/spool.ts';

/** So much is held before it is written to the file. */
const HELD_BYTES = 512 * 1_024;

export class EventBody {
  readonly #spool: Spool;
  #lines: LineScan | undefined;
  /** What is not in the file. */
  readonly #held = new Pieces();
  /** The first bytes, until they can be told from a mark. */
  #first: Buffer | undefined = Buffer.alloc(0);
  /** All bytes, once somebody has asked for them. */
  #whole: Buffer | undefined;
  #length = 0;
  #file: SpoolFile | undefined;

  private constructor(spool: Spool, byLines: boolean) {
    this.#spool = spool;
    this.#lines = byLines ? new LineScan() : undefined;
  }

  /**
   * Reads a body to its end; `byLines` where each of its lines is an event. The pieces belong to it from
   * then on. The caller releases it. `arrived` is told the bytes of each piece, and what it answers is
   * awaited before the next. Throws an ApiError as soon as there are too many lines.
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
        const unmarked = body.#withoutMark(piece);
        if (unmarked !== undefined) body.#add(unmarked);
        if (body.#held.bytes >= HELD_BYTES) await body.#write();
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

  /** Bytes that arrived. */
  get length(): number {
    return this.#length;
  }

  /** What there was to see in the lines as they arrived; undefined when the body is not what was read by lines. */
  get scan(): Scan | undefined {
    return this.#lines?.end();
  }

  /** All bytes. They are held until the body is released. */
  async bytes(): Promise<Buffer> {
    if (this.#whole !== undefined) return this.#whole;
    if (this.#file !== undefined) {
      this.#whole = await this.#file.read();
    } else {
      const held = this.#held.take();
      this.#whole = held.length === 1 ? held[0]! : Buffer.concat(held);
      this.#held.add(this.#whole);
    }
    return this.#whole;
  }

  /** The path of a file that has it, until it is released. */
  async path(): Promise<string> {
    const isOneByte = this.#file === undefined && this.#held.bytes === 1;
    await this.#write();
    // DuckDB takes a file of one byte for an empty one.
    if (isOneByte) await this.#file!.append([Buffer.from('\n')]);
    await this.#file!.end();
    return this.#file!.path;
  }

  /** Puts other bytes in place of those that arrived. */
  async replace(bytes: Buffer): Promise<void> {
    await this.release();
    this.#held.add(bytes);
    this.#whole = bytes;
    this.#lines = undefined;
  }

  async release(): Promise<void> {
    await this.#file?.release();
    this.#file = undefined;
    this.#held.take();
    this.#whole = undefined;
  }

  // A mark of UTF-8 at the beginning is not part of the events.
  #withoutMark(piece: Buffer): Buffer | undefined {
    if (this.#first === undefined) return piece;
    const first = this.#first.length === 0 ? piece : Buffer.concat([this.#first, piece]);
    this.#first = first.length < MARK.length ? first : undefined;
    if (this.#first !== undefined) return undefined;
    return first.subarray(0, MARK.length).equals(MARK) ? first.subarray(MARK.length) : first;
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#lines !== undefined) {
      this.#lines.add(piece);
      if (this.#lines.events > INGEST_EVENTS_MAX) {
        throw new ApiError('events-too-many', { limit: INGEST_EVENTS_MAX });
      }
    }
    this.#held.add(piece);
  }

  async #write(): Promise<void> {
    const held = this.#held.take();
    this.#file ??= await this.#spool.file();
    await this.#file.append(held);
    for (const piece of held) if (piece !== this.#whole) free(piece);
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

// Gives the memory of what arrived back at once. Left to the collection of garbage, the bodies of a large
// ingest fill new memory all the time, which the system has to find and to clear.
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
