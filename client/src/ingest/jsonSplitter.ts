// Cuts a JSON array between its elements, and a file of objects one after another between them. Strings
// and brackets are followed, nothing else: what is wrong inside an element is for the service to say.
import {
  Carry,
  FileProblem,
  Packer,
  type Piece,
  type PieceLimits,
  type Splitter,
} from './piece.ts';

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const OPEN_SQUARE = 91;
const BACKSLASH = 92;
const CLOSE_SQUARE = 93;
const OPEN_CURLY = 123;
const CLOSE_CURLY = 125;

const comma = Buffer.from(',');
const open = Buffer.from('[');
const close = Buffer.from(']');

type State = 'start' | 'element' | 'string' | 'escape' | 'after';

export class JsonSplitter implements Splitter {
  readonly #packer: Packer;
  readonly #element = new Carry();
  #state: State = 'start';
  /** Whether the file is one array; otherwise it is objects one after another. */
  #array = false;
  /** Brackets open inside the present element. */
  #depth = 0;
  #blank = true;
  #elements = 0;
  #line = 1;
  #elementLine = 1;

  constructor(limits: PieceLimits) {
    this.#packer = new Packer(limits, (elements) =>
      Buffer.concat([
        open,
        ...elements.flatMap((element, index) => (index === 0 ? [element] : [comma, element])),
        close,
      ]),
    );
  }

  push(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const pieces: Piece[] = [];
    let start = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (byte === NEWLINE) this.#line += 1;
      switch (this.#state) {
        case 'string':
          if (byte === QUOTE) this.#state = 'element';
          else if (byte === BACKSLASH) this.#state = 'escape';
          continue;
        case 'escape':
          this.#state = 'string';
          continue;
        case 'start':
          if (isSpace(byte)) continue;
          this.#begin(byte);
          // The bracket of the array is no part of an element; the one of an object is.
          start = this.#array ? index + 1 : index;
          if (this.#array) continue;
          break;
        case 'after':
          if (!isSpace(byte)) throw new FileProblem(afterArray(this.#line));
          continue;
      }
      const ended = this.#step(byte);
      if (ended === undefined) continue;
      const until = ended === 'with' ? index + 1 : index;
      pieces.push(...this.#add(bytes.subarray(start, until), byte));
      start = index + 1;
    }
    if (this.#state !== 'start' && this.#state !== 'after')
      this.#element.add(bytes.subarray(start));
    this.#packer.checkEvent(this.#element.length, this.#elementLine);
    return pieces;
  }

  end(): Piece[] {
    const unfinished = this.#depth > 0 || this.#state === 'string' || this.#state === 'escape';
    if (this.#state === 'start') return [];
    if (this.#array && this.#state !== 'after') {
      const where = this.#blank ? '' : `, inside the element that starts on line ${this.#at()}`;
      throw new FileProblem(`The file ends before the array is closed${where}.`);
    }
    if (unfinished) {
      throw new FileProblem(`The file ends inside the object that starts on line ${this.#at()}.`);
    }
    return this.#packer.flush();
  }

  #begin(byte: number): void {
    this.#array = byte === OPEN_SQUARE;
    if (!this.#array && byte !== OPEN_CURLY) {
      throw new FileProblem(`Line ${this.#line} does not start with an array or an object.`);
    }
    this.#state = 'element';
    this.#elementLine = this.#line;
  }

  /** Follows one byte outside strings. Tells whether the element ends before it or with it. */
  #step(byte: number): 'before' | 'with' | undefined {
    if (this.#depth === 0 && this.#array && (byte === COMMA || byte === CLOSE_SQUARE)) {
      return 'before';
    }
    if (this.#blank && !isSpace(byte)) {
      this.#blank = false;
      this.#elementLine = this.#line;
      if (!this.#array && byte !== OPEN_CURLY) {
        throw new FileProblem(`Expected an object on line ${this.#at()}.`);
      }
    }
    if (byte === QUOTE) this.#state = 'string';
    else if (byte === OPEN_CURLY || byte === OPEN_SQUARE) this.#depth += 1;
    else if (byte === CLOSE_CURLY || byte === CLOSE_SQUARE) {
      this.#depth -= 1;
      if (this.#depth < 0)
        throw new FileProblem(`Unmatched closing bracket on line ${this.#line}.`);
      if (this.#depth === 0 && !this.#array) return 'with';
    }
    return undefined;
  }

  #add(rest: Buffer, byte: number): Piece[] {
    const element = this.#element.take(rest);
    const blank = this.#blank;
    const line = this.#elementLine;
    this.#packer.checkEvent(element.length, line);
    this.#blank = true;
    this.#elementLine = this.#line;
    if (this.#array && byte === CLOSE_SQUARE) {
      this.#state = 'after';
      if (blank && this.#elements === 0) return [];
    }
    if (blank) throw new FileProblem(`Missing value on line ${this.#line}.`);
    this.#elements += 1;
    return this.#packer.add(element, line, this.#line);
  }

  #at(): string {
    return this.#elementLine.toLocaleString('en-US');
  }
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

function afterArray(line: number): string {
  return `Unexpected text after the end of the array on line ${line.toLocaleString('en-US')}.`;
}
