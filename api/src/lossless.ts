// Parses and serializes JSON without losing digits of integers. Integers that a double can't represent safely become
// bigint, because `JSON.parse` would round them. A reviver would make parsing ten times slower.

/** Matches a number with so many digits that it may be beyond 2^53. */
const LONG_DIGITS = /(?:^|[\s,:[])-?\d{16}/;

const LONG_INTEGER = /(?<=^|[\s,:[])-?\d{16,}(?=[\s,\]}]|$)/g;

/** Parses JSON. Integers beyond 2^53 - 1 in magnitude become bigint. Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  const mark = unusedMarker(text);
  const pieces: string[] = [];
  let copied = 0;
  const strings = new StringScan(text);
  for (const match of text.matchAll(LONG_INTEGER)) {
    const literal = match[0];
    if (Number.isSafeInteger(Number(literal)) || strings.covers(match.index)) continue;
    pieces.push(text.slice(copied, match.index), `"${mark}${literal}"`);
    copied = match.index + literal.length;
  }
  if (pieces.length === 0) return JSON.parse(text);
  pieces.push(text.slice(copied));
  return restore(JSON.parse(pieces.join('')), mark);
}

/** Like `parseJson`, but returns undefined for invalid JSON. */
export function parsedJson(text: string, parse: (text: string) => unknown = parseJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Serializes a value to JSON, with bigints as integers. `indent` is as in `JSON.stringify`. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch {
    // Searching for a bigint first would take as long as serializing.
    return stringifyBigints(value, indent);
  }
}

function stringifyBigints(value: unknown, indent?: number): string {
  const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
  const text = JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? rawJson(String(member)) : member),
    indent,
  );
  return text ?? 'null';
}

/** Returns a prefix that doesn't occur in `text`, so that no string looks like a marked integer. */
function unusedMarker(text: string): string {
  for (;;) {
    const mark = `int:${Math.random().toString(36).slice(2)}:`;
    if (!text.includes(mark)) return mark;
  }
}

/** Reports whether offsets, in ascending order, are inside JSON strings. */
class StringScan {
  private readonly text: string;
  private next = 0;
  private end = -1;

  constructor(text: string) {
    this.text = text;
    this.next = text.indexOf('"');
  }

  covers(offset: number): boolean {
    while (this.next >= 0 && this.next < offset) {
      if (this.end < this.next) this.end = this.closingQuote(this.next);
      if (this.end > offset) return true;
      this.next = this.text.indexOf('"', this.end + 1);
    }
    return false;
  }

  private closingQuote(open: number): number {
    let quote = open;
    for (;;) {
      quote = this.text.indexOf('"', quote + 1);
      if (quote < 0) return this.text.length;
      let before = quote - 1;
      while (this.text[before] === '\\') before -= 1;
      if ((quote - before) % 2 === 1) return quote;
    }
  }
}

/** Converts the marked strings in `root` to bigints. Changes `root` in place. */
function restore(root: unknown, mark: string): unknown {
  const pending: unknown[] = [];
  const first = mark.charCodeAt(0);
  const convert = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.charCodeAt(0) === first && value.startsWith(mark)
        ? BigInt(value.slice(mark.length))
        : value;
    }
    if (typeof value === 'object' && value !== null) pending.push(value);
    return value;
  };
  const result = convert(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index += 1) next[index] = convert(next[index]);
    } else {
      const members = next as Record<string, unknown>;
      for (const name of Object.keys(members)) {
        const value = members[name];
        const converted = convert(value);
        // A plain assignment would set the prototype for a member called `__proto__`.
        if (converted !== value) {
          Object.defineProperty(members, name, {
            value: converted,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
      }
    }
  }
  return result;
}
