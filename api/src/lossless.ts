// Parses and serializes JSON without losing digits of integers. An integer that a double can't represent safely becomes
// a bigint. `JSON.parse` would round it, and a reviver would make parsing ten times slower.

/** Matches an integer of at least sixteen digits. Shorter integers can't be beyond 2^53. */
const LONG_DIGITS = /(?:^|[\s,:[])-?\d{16}/;

/** Matches an integer literal of at least sixteen digits between JSON delimiters. */
const LONG_INTEGER = /(?<=^|[\s,:[])-?\d{16,}(?=[\s,\]}]|$)/g;

/**
 * Parses JSON. Integers beyond 2^53 - 1 in magnitude become bigint. All other values are as with `JSON.parse`. Throws a
 * SyntaxError if the text is not valid JSON.
 */
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

/** Serializes a value to JSON. Writes bigints as integers. `indent` is as in `JSON.stringify`. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch {
    // The value probably contains a bigint. Don't search for one first: that would take as long as serializing.
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

/** Returns a prefix for marked integers that doesn't occur in `text`, so that no string looks like a marked integer. */
function unusedMarker(text: string): string {
  for (;;) {
    const mark = `int:${Math.random().toString(36).slice(2)}:`;
    if (!text.includes(mark)) return mark;
  }
}

/** Reports whether offsets are inside JSON strings. Pass the offsets in ascending order. */
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

/** Converts all marked strings in a value back to bigints, in place. */
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
        // Avoid a plain assignment, which would set the prototype for a member called `__proto__`.
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
