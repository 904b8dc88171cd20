/**
 * Finds the first error in JSON, and its offset. `JSON.parse` gives an offset for some errors only, and keeps the last
 * of two members with the same name.
 */

/** What the grammar allows at an offset. */
export type Expected =
  | 'value'
  | 'value or ]'
  | 'name'
  | 'name or }'
  | 'colon'
  | 'comma or }'
  | 'comma or ]'
  | 'end';

/** An error at an offset in UTF-16 units. */
export type JsonError =
  /** A wrong character; at the length of the text, an unexpected end. */
  | { readonly kind: 'unexpected'; readonly offset: number; readonly expected: Expected }
  /** A string without a closing quote. The offset is that of its opening quote. */
  | { readonly kind: 'open string'; readonly offset: number }
  /** A control character or an invalid escape sequence in the string that begins at `string`. */
  | {
      readonly kind: 'control character' | 'escape';
      readonly offset: number;
      readonly string: number;
    }
  | { readonly kind: 'repeated name'; readonly offset: number; readonly name: string }
  /** A number with a fraction or an exponent that exceeds the range of a double. */
  | { readonly kind: 'huge number'; readonly offset: number; readonly number: string }
  | { readonly kind: 'too deep'; readonly offset: number };

export interface JsonRules {
  /** Whether several values may follow one another. */
  readonly many?: boolean;
  /** Whether `NaN` and `Infinity` are values, as they are for DuckDB. */
  readonly notNumbers?: boolean;
  /** Whether the names of an object must differ. */
  readonly uniqueNames?: boolean;
  /** Whether a number must be an integer or in the range of a double. */
  readonly finite?: boolean;
  /** The maximum nesting of objects and arrays. */
  readonly maxDepth?: number;
}

const WORD = /true|false|null/y;
const NOT_NUMBER = /NaN|-?Infinity/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

const OBJECT = 1;
const ARRAY = 2;

/** Returns the first error in `text`; undefined if it is valid. The stack doesn't grow with the nesting. */
export function jsonError(text: string, rules: JsonRules = {}): JsonError | undefined {
  const open = new Brackets();
  const names: Set<string>[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const afterValue = (): Expected => {
    if (open.depth === 0) return 'end';
    return open.last === OBJECT ? 'comma or }' : 'comma or ]';
  };
  for (;;) {
    skip(SPACE);
    const start = at;
    const character = text[at];
    if (expected === 'end') {
      if (character === undefined) return undefined;
      if (rules.many !== true) return { kind: 'unexpected', offset: at, expected };
      expected = 'value';
    }
    const wantsName = expected === 'name' || expected === 'name or }';
    const wantsValue = expected === 'value' || expected === 'value or ]';
    const isTooDeep = open.depth > (rules.maxDepth ?? Number.POSITIVE_INFINITY);
    if (isTooDeep && wantsValue && character !== ']') return { kind: 'too deep', offset: at };
    if (character === '"' && (wantsName || wantsValue)) {
      const end = stringEnd(text, start);
      if (typeof end !== 'number') return end;
      at = end;
      if (wantsValue) {
        expected = afterValue();
        continue;
      }
      expected = 'colon';
      if (rules.uniqueNames !== true) continue;
      const name = JSON.parse(text.slice(start, end)) as string;
      const known = names[open.depth]!;
      if (known.has(name)) return { kind: 'repeated name', offset: start, name };
      known.add(name);
    } else if (character === '{' && wantsValue) {
      at += 1;
      open.push(OBJECT);
      if (rules.uniqueNames === true) names[open.depth] = new Set();
      expected = 'name or }';
    } else if (character === '[' && wantsValue) {
      at += 1;
      open.push(ARRAY);
      expected = 'value or ]';
    } else if (character === ':' && expected === 'colon') {
      at += 1;
      expected = 'value';
    } else if (character === ',' && (expected === 'comma or }' || expected === 'comma or ]')) {
      at += 1;
      expected = expected === 'comma or }' ? 'name' : 'value';
    } else if (character !== undefined && expected.endsWith(`or ${character}`)) {
      at += 1;
      open.pop();
      expected = afterValue();
    } else if (wantsValue && skip(NUMBER)) {
      const number = text.slice(start, at);
      const isKept = /^-?\d+$/.test(number) || Number.isFinite(Number(number));
      if (rules.finite === true && !isKept) return { kind: 'huge number', offset: start, number };
      expected = afterValue();
    } else if (wantsValue && (skip(WORD) || (rules.notNumbers === true && skip(NOT_NUMBER)))) {
      expected = afterValue();
    } else {
      return { kind: 'unexpected', offset: at, expected };
    }
  }
}

/** The kinds of open brackets, a byte each: a document may consist of millions of them. */
class Brackets {
  depth = 0;
  #kinds = new Uint8Array(64);

  get last(): typeof OBJECT | typeof ARRAY {
    return this.#kinds[this.depth - 1] === OBJECT ? OBJECT : ARRAY;
  }

  push(kind: number): void {
    if (this.depth === this.#kinds.length) {
      const larger = new Uint8Array(2 * this.depth);
      larger.set(this.#kinds);
      this.#kinds = larger;
    }
    this.#kinds[this.depth] = kind;
    this.depth += 1;
  }

  pop(): void {
    this.depth -= 1;
  }
}

/**
 * Returns the offset after the string that begins at `start`, or the error in it. Loops, because a regular expression
 * would use stack for each character.
 */
function stringEnd(text: string, start: number): number | JsonError {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { kind: 'control character', offset: at, string: start };
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return { kind: 'escape', offset: at, string: start };
    at = ESCAPE.lastIndex - 1;
  }
  return { kind: 'open string', offset: start };
}
