// Cuts newline-delimited JSON between lines. A line is never looked into: what is wrong in it is for the
// service to say.
import { Carry, isBlank, Packer, type Piece, type PieceLimits, type Splitter } from './piece.ts';

const NEWLINE = 10;

export class NdjsonSplitter implements Splitter {
  readonly #packer: Packer;
  readonly #line = new Carry();
  #lineNumber = 1;

  constructor(limits: PieceLimits) {
    this.#packer = new Packer(limits, (lines) => Buffer.concat(lines));
  }

  push(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const pieces: Piece[] = [];
    let start = 0;
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, start);
      if (newline < 0) break;
      pieces.push(...this.#add(bytes.subarray(start, newline + 1)));
      this.#lineNumber += 1;
      start = newline + 1;
    }
    this.#line.add(bytes.subarray(start));
    this.#packer.checkEvent(this.#line.length, this.#lineNumber);
    return pieces;
  }

  end(): Piece[] {
    const last = this.#line.length > 0 ? this.#add() : [];
    return [...last, ...this.#packer.flush()];
  }

  #add(rest?: Buffer): Piece[] {
    const line = this.#line.take(rest);
    this.#packer.checkEvent(line.length, this.#lineNumber);
    return this.#packer.add(line, this.#lineNumber, this.#lineNumber, !isBlank(line));
  }
}
