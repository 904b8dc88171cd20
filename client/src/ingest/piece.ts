// What a file is cut into: pieces that each fit one request and hold whole events only. Splitters are fed
// the file's bytes as they come and never hold more than one piece and one event.

export type IngestFormat = 'ndjson' | 'json' | 'csv';

/** Bounds of a piece. An event that alone exceeds `bytes` travels alone, up to `eventBytes`. */
export interface PieceLimits {
  readonly events: number;
  readonly bytes: number;
  readonly eventBytes: number;
}

/** One request's worth of events. */
export interface Piece {
  readonly body: Buffer;
  readonly events: number;
  /** The line of the file at which its first event starts, from 1. */
  readonly firstLine: number;
  /** The line at which its last event ends. */
  readonly lastLine: number;
}

export interface Splitter {
  /** Takes the next bytes and gives the pieces they complete. Throws a FileProblem. */
  push(chunk: Uint8Array): Piece[];
  /** Gives the last piece, if there is one. Throws a FileProblem where the file ends too early. */
  end(): Piece[];
}

/** Something about the file itself that keeps it from being cut into events. */
export class FileProblem extends Error {}

/** Gathers events into pieces. A splitter gives it one whole event after another. */
export class Packer {
  readonly #limits: PieceLimits;
  readonly #wrap: (events: readonly Buffer[]) => Buffer;
  #events: Buffer[] = [];
  #count = 0;
  #bytes = 0;
  #firstLine = 1;
  #lastLine = 1;

  /** `wrap` makes a request's body of the events' bytes. */
  constructor(limits: PieceLimits, wrap: (events: readonly Buffer[]) => Buffer) {
    this.#limits = limits;
    this.#wrap = wrap;
  }

  /**
   * Adds bytes that stand from `firstLine` to `lastLine`. With `counts` false they are no event but a
   * blank line, which is kept between events so that lines of a piece can be counted, and dropped
   * elsewhere. Gives the piece that is full without them.
   */
  add(bytes: Buffer, firstLine: number, lastLine: number, counts = true): Piece[] {
    const over = this.#bytes + bytes.length > this.#limits.bytes;
    const full = this.#count > 0 && (over || (counts && this.#count >= this.#limits.events));
    const done = full ? this.flush() : [];
    if (!counts && this.#count === 0) return done;
    if (this.#count === 0) this.#firstLine = firstLine;
    this.#events.push(bytes);
    this.#bytes += bytes.length;
    if (counts) {
      this.#count += 1;
      this.#lastLine = lastLine;
    }
    return done;
  }

  /** Gives what has been gathered, if there is an event in it. */
  flush(): Piece[] {
    if (this.#count === 0) return [];
    const piece = {
      body: this.#wrap(this.#events),
      events: this.#count,
      firstLine: this.#firstLine,
      lastLine: this.#lastLine,
    };
    this.#events = [];
    this.#count = 0;
    this.#bytes = 0;
    return [piece];
  }

  /** Refuses an event that has grown beyond what one request may carry. */
  checkEvent(bytes: number, line: number): void {
    if (bytes <= this.#limits.eventBytes) return;
    const megabytes = Math.floor(this.#limits.eventBytes / 1024 / 1024);
    throw new FileProblem(
      `The event that starts on line ${line.toLocaleString('en-US')} exceeds the limit of ${megabytes} MB.`,
    );
  }
}

/** Bytes of one event that arrive in several chunks. */
export class Carry {
  #parts: Buffer[] = [];
  length = 0;

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  /** The gathered bytes and `rest`, as one; the carry is empty afterwards. */
  take(rest?: Buffer): Buffer {
    if (this.#parts.length === 0) return rest ?? Buffer.alloc(0);
    if (rest) this.#parts.push(rest);
    const whole =
      this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.length = 0;
    return whole;
  }
}

/** Whether bytes are spaces, tabs and line ends alone. */
export function isBlank(bytes: Uint8Array): boolean {
  // By index, since this is asked of every event and iterators cost ten times as much.
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte !== 32 && (byte < 9 || byte > 13)) return false;
  }
  return true;
}
