// JSON in and out without losing digits: integers that a double cannot hold become bigint, and go
// back as they came. `JSON.parse` rounds them, and its reviver costs ten times the parse itself.

/** Digits from which on an integer may be beyond 2^53 (which has sixteen). */
const LONG_DIGITS = /(?:^|[\s,:[])-?\d{16}/;

/** An integer literal of sixteen digits or more, after the sign or space that ends what is before it. */
const LONG_INTEGER = /(?<=^|[\s,:[])-?\d{16,}(?=[\s,\]}]|$)/g;

/**
 * Parses JSON text. Integers beyond 2^53 are bigint, everything else is as from `JSON.parse`.
 * Throws a SyntaxError on text that is not JSON.
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

/** JSON text of a value in which bigint stands for an integer; `indent` as for `JSON.stringify`. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch {
    // It has a bigint, most likely. Looking for one first would take as long as writing everything.
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

/** Text that occurs nowhere in `text`, to tell marked integers from strings. */
function unusedMarker(text: string): string {
  for (;;) {
    const mark = `int:${Math.random().toString(36).slice(2)}:`;
    if (!text.includes(mark)) return mark;
  }
}

/** Tells whether offsets, asked for in ascending order, lie inside a JSON string. */
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

/** Turns marked strings back into integers, in place. */
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
        // Defined rather than assigned, since a member may be called __proto__.
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
