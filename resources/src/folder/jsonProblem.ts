// Where a text is not JSON. The parser of JavaScript names a place for some errors only, and takes the last of two
// members of one name, which a merge of two changes may leave.

export interface JsonProblem {
  readonly offset: number;
  readonly message: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = ['true', 'false', 'null'];

/** Levels of objects and arrays; more would exhaust the stack of what reads them next. */
const DEPTH_MAX = 500;

class Found extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** The first problem of a text; undefined where it is JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const scan = new Scan(text);
  try {
    scan.value(0);
    scan.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { offset: error.offset, message: error.message };
  }
}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): void {
    this.#space();
    if (depth > DEPTH_MAX) throw this.#found(`The JSON is nested more than ${DEPTH_MAX} levels.`);
    const character = this.#text[this.#at];
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    if (character === '"') return void this.#string();
    const word = WORDS.find((each) => this.#text.startsWith(each, this.#at));
    if (word !== undefined) this.#at += word.length;
    else this.#number();
  }

  #number(): void {
    const start = this.#at;
    const text = this.#match(NUMBER);
    if (text === undefined) throw this.#unexpected('a value');
    // It would be written back as null. Integers of any length are kept.
    const isKept = /^-?\d+$/.test(text) || Number.isFinite(Number(text));
    if (!isKept) throw new Found(start, `The number ${text} is too large.`);
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file');
  }

  #object(depth: number): void {
    const names = new Set<string>();
    this.#at += 1;
    if (this.#takes('}')) return;
    do {
      this.#space();
      const start = this.#at;
      if (this.#text[start] !== '"')
        throw this.#unexpected('the name of a member in quotation marks');
      const name = JSON.parse(this.#string()) as string;
      if (names.has(name)) {
        throw new Found(start, `The member ${JSON.stringify(name)} appears twice. Keep one.`);
      }
      names.add(name);
      if (!this.#takes(':')) throw this.#unexpected("':'");
      this.value(depth + 1);
    } while (this.#takes(','));
    if (!this.#takes('}')) throw this.#unexpected("',' or '}'");
  }

  #array(depth: number): void {
    this.#at += 1;
    if (this.#takes(']')) return;
    do this.value(depth + 1);
    while (this.#takes(','));
    if (!this.#takes(']')) throw this.#unexpected("',' or ']'");
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    // One expression for all of it would exhaust the stack with a long string.
    while (this.#match(PLAIN) !== undefined || this.#match(ESCAPE) !== undefined);
    if (this.#text[this.#at] !== '"') {
      this.#at = start;
      throw this.#found('The string is not closed, or has an invalid escape.');
    }
    this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #takes(character: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unexpected(expected: string): Found {
    const character = this.#text.codePointAt(this.#at);
    const found =
      character === undefined ? 'the end of the file' : `'${String.fromCodePoint(character)}'`;
    return this.#found(`Expected ${expected}, but found ${found}.`);
  }

  #found(message: string): Found {
    return new Found(this.#at, message);
  }
}
