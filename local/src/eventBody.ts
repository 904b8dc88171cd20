/**
 * The body of an ingest request. One of lines is looked through as it comes and goes on to a file of the
 * spool, so that what many clients send at once is not held in memory; others are, as they are needed
 * whole.
 */
import { LineScan, type Scan } from './store/ingest/scan.ts';
import type { Spool, SpoolFile } from './store/spool.ts';

/** So much is held before it is written to the file. */
const HELD_BYTES = 512 * 1_024;

export class EventBody {
  readonly #spool: Spool;
  readonly #lines: LineScan | undefined;
  /** What is not in the file: the whole body while there is none. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Whether somebody else may have what is held. */
  #shown = false;
  #length = 0;
  #file: SpoolFile | undefined;

  private constructor(spool: Spool, byLines: boolean) {
    this.#spool = spool;
    this.#lines = byLines ? new LineScan() : undefined;
  }

  /**
   * Reads a body to its end; `byLines` where each of its lines is an event. The pieces are its own from
   * then on. Whoever asks releases it.
   */
  static async read(
    pieces: AsyncIterable<Buffer>,
    spool: Spool,
    byLines: boolean,
  ): Promise<EventBody> {
    const body = new EventBody(spool, byLines);
    try {
      for await (const piece of withoutMark(body.#counted(pieces))) await body.#add(piece);
      if (body.#file !== undefined) await body.#write();
      return body;
    } catch (error) {
      await body.release();
      throw error;
    }
  }

  /** Bytes that came. */
  get length(): number {
    return this.#length;
  }

  /** What there was to see in the lines as they came; undefined when the body was not read by lines. */
  get scan(): Scan | undefined {
    return this.#lines?.end();
  }

  /** All bytes. */
  async bytes(): Promise<Buffer> {
    if (this.#file !== undefined) return this.#file.read();
    if (this.#held.length !== 1) this.#held = [Buffer.concat(this.#held)];
    this.#shown = true;
    return this.#held[0]!;
  }

  /** The path of a file that has it, until it is released. */
  async path(): Promise<string> {
    await this.#write();
    await this.#file!.end();
    return this.#file!.path;
  }

  /** Puts other bytes in place of those that came. */
  async replace(bytes: Buffer): Promise<void> {
    await this.release();
    this.#held = [bytes];
    this.#shown = true;
  }

  async release(): Promise<void> {
    await this.#file?.release();
    this.#file = undefined;
    this.#held = [];
  }

  async *#counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#length += piece.length;
      yield piece;
    }
  }

  async #add(piece: Buffer): Promise<void> {
    this.#lines?.add(piece);
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#lines !== undefined && this.#heldBytes >= HELD_BYTES) await this.#write();
  }

  async #write(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#file ??= await this.#spool.file();
    await this.#file.append(held);
    if (!this.#shown) held.forEach(free);
  }
}

// Gives the memory of what came back at once. Left to the collection of garbage, the bodies of a large
// ingest fill new memory all the time, which the system has to find and to clear.
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

// A mark of UTF-8 at the beginning is no part of the events.
async function* withoutMark(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (begin === undefined) {
      yield piece;
      continue;
    }
    begin = begin.length === 0 ? piece : Buffer.concat([begin, piece]);
    if (begin.length < MARK.length) continue;
    yield begin.subarray(0, MARK.length).equals(MARK) ? begin.subarray(MARK.length) : begin;
    begin = undefined;
  }
  if (begin !== undefined && begin.length > 0) yield begin;
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
