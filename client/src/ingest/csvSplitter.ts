// Cuts CSV between records and repeats the header line in every piece. A record may span lines: a quote
// at the start of a value opens it to the next quote that is not doubled.
import {
  Carry,
  FileProblem,
  isBlank,
  Packer,
  type Piece,
  type PieceLimits,
  type Splitter,
} from './piece.ts';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

type State = 'valueStart' | 'plain' | 'quoted' | 'quoteInQuoted';

export class CsvSplitter implements Splitter {
  readonly #packer: Packer;
  readonly #delimiter: number;
  readonly #record = new Carry();
  #header: Buffer | undefined;
  #state: State = 'valueStart';
  /** Whether the last byte was a carriage return, which ends a line alone or with a newline. */
  #returned = false;
  #line = 1;
  #recordLine = 1;

  /** `delimiter` is one ASCII character. */
  constructor(limits: PieceLimits, delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#packer = new Packer(limits, (records) =>
      Buffer.concat([this.#header ?? Buffer.alloc(0), ...records]),
    );
  }

  push(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const pieces: Piece[] = [];
    let start = 0;
    let state = this.#state;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (this.#returned) {
        this.#returned = false;
        if (byte !== NEWLINE) {
          this.#line += 1;
          state = 'valueStart';
          pieces.push(...this.#add(bytes.subarray(start, index)));
          start = index;
        }
      }
      if (byte === RETURN && state !== 'quoted') {
        this.#returned = true;
      } else if (byte === NEWLINE) {
        this.#line += 1;
        if (state === 'quoted') continue;
        state = 'valueStart';
        pieces.push(...this.#add(bytes.subarray(start, index + 1)));
        start = index + 1;
      } else if (state === 'quoted') {
        if (byte === QUOTE) state = 'quoteInQuoted';
      } else if (byte === this.#delimiter) {
        state = 'valueStart';
      } else if (byte === QUOTE && state !== 'plain') {
        state = 'quoted';
      } else {
        state = 'plain';
      }
    }
    this.#state = state;
    this.#record.add(bytes.subarray(start));
    this.#packer.checkEvent(this.#record.length, this.#recordLine);
    return pieces;
  }

  end(): Piece[] {
    if (this.#state === 'quoted') {
      throw new FileProblem(
        `The file ends inside a quoted value of the record that starts on line ${this.#recordLine.toLocaleString('en-US')}.`,
      );
    }
    const last = this.#record.length > 0 ? this.#add() : [];
    return [...last, ...this.#packer.flush()];
  }

  /** The header's bytes once they have been read, line end included. */
  get header(): Buffer | undefined {
    return this.#header;
  }

  #add(rest?: Buffer): Piece[] {
    const record = this.#record.take(rest);
    const first = this.#recordLine;
    this.#packer.checkEvent(record.length, first);
    this.#recordLine = this.#line;
    const blank = isBlank(record);
    if (this.#header === undefined) {
      // Blank lines before the header are nobody's data.
      if (!blank) this.#header = record;
      return [];
    }
    return this.#packer.add(record, first, this.#line - (rest ? 1 : 0), !blank);
  }
}
