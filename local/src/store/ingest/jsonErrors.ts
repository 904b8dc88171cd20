/**
 * Where and why JSON text is broken. `JSON.parse` says where only sometimes; this tells the first place
 * that no JSON text can have, and does not grow the stack with the nesting.
 */

export interface JsonError {
  /** Where, as an offset in UTF-16 units; the length of the text where more should follow. */
  readonly offset: number;
  readonly problem: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
// DuckDB takes these words for numbers, so they are not what it refused.
const WORD = /true|false|null|-?Infinity|NaN/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

const OBJECT = 1;
const LIST = 2;

/**
 * The first error in `text`, which should be one JSON value, or several where `many` allows it; undefined
 * when it is.
 */
export function findJsonError(text: string, many = false): JsonError | undefined {
  // The kinds of the open brackets, a byte each: a list of their texts would take sixteen times the memory.
  let open = new Uint8Array(64);
  let depth = 0;
  const enter = (kind: number) => {
    if (depth === open.length) {
      const larger = new Uint8Array(2 * depth);
      larger.set(open);
      open = larger;
    }
    open[depth] = kind;
    depth += 1;
  };
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const unexpected = (): JsonError =>
    at >= text.length
      ? { offset: at, problem: 'unexpected end of JSON' }
      : { offset: at, problem: `${JSON.stringify(characterAt(text, at))} is unexpected` };
  /** Text, from its opening quote. A loop, since a pattern would stack up a step for each character. */
  const string = (): JsonError | undefined => {
    for (at += 1; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        at += 1;
        return undefined;
      }
      if (code < 0x20 || (code === 0x5c && !skip(ESCAPE))) return inString(text, at);
      if (code !== 0x5c) at += 1;
    }
    return unexpected();
  };
  /** A key and its colon. */
  const member = (): JsonError | undefined => {
    skip(SPACE);
    if (text[at] !== '"') return unexpected();
    const error = string();
    if (error !== undefined) return error;
    skip(SPACE);
    if (text[at] !== ':') return unexpected();
    at += 1;
    return undefined;
  };
  for (;;) {
    skip(SPACE);
    const character = text[at];
    let error: JsonError | undefined;
    if (character === '{' || character === '[') {
      const close = character === '{' ? '}' : ']';
      at += 1;
      skip(SPACE);
      if (text[at] === close) {
        at += 1;
      } else {
        enter(character === '{' ? OBJECT : LIST);
        error = close === '}' ? member() : undefined;
        if (error !== undefined) return error;
        continue;
      }
    } else if (character === '"') {
      error = string();
    } else if (!skip(WORD) && !skip(NUMBER)) {
      error = unexpected();
    }
    if (error !== undefined) return error;
    // A value has ended: close what ends with it, then take the next one.
    for (;;) {
      skip(SPACE);
      if (depth === 0) {
        if (at >= text.length) return undefined;
        if (!many) return unexpected();
        break;
      }
      if (text[at] !== (open[depth - 1] === OBJECT ? '}' : ']')) break;
      at += 1;
      depth -= 1;
    }
    if (depth === 0) continue;
    if (text[at] !== ',') return unexpected();
    at += 1;
    if (open[depth - 1] === OBJECT) {
      const broken = member();
      if (broken !== undefined) return broken;
    }
  }
}

function inString(text: string, at: number): JsonError {
  const problem =
    text[at] === '\\'
      ? `${JSON.stringify(text.slice(at, at + 2))} is not a valid escape sequence`
      : 'a control character in a string must be escaped';
  return { offset: at, problem };
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!);
}
