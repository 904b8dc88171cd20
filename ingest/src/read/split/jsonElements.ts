// Splits JSON into objects: array elements and consecutive objects. Only strings and brackets are tracked, and commas
// between elements may be missing or doubled. If brackets don't match or a string isn't closed on its line, splitting
// resumes at the next line that starts with an object at the same or a smaller indentation.
import {
  BACKSLASH,
  CLOSE_CURLY,
  CLOSE_SQUARE,
  COMMA,
  type EventSink,
  isSpace,
  isText,
  NEWLINE,
  notUtf8,
  OPEN_CURLY,
  OPEN_SQUARE,
  QUOTE,
  RETURN,
  SPACE,
  type Splitter,
  tooLong,
} from './splitter.ts';

const COLON = 0x3a;
/** Precedes each text of a JSON text sequence (RFC 7464). */
const RECORD_SEPARATOR = 0x1e;

const notObject = 'It is not a JSON object.';
const brokenString = 'A string is not closed on its line.';
const unmatched = 'Its brackets do not match.';
const unopened = 'A closing bracket has no opening one.';
const missingBracket = 'A closing bracket is missing.';
export const endsInside = 'The file ends inside this event. It may be incomplete.';
export const unclosedArray = 'The file ends before the array is closed. It may be incomplete.';

const INCOMPLETE = -1;
const BROKEN = -2;

export class JsonSplitter implements Splitter {
  readonly #eventBytes: number;
  line: number;
  inArray: boolean;
  /** The current line's indentation; -1 after any other character. */
  #indent: number;
  /** Whether the rest of an overlong event is being skipped. */
  #discarding = false;
  /** The maximum indentation of the next event, while looking for one after a broken event. */
  #maxIndent: number | undefined;

  // The state of `#follow`: open brackets, whether it is in a string, the last of `{[,:`, and the lines passed.
  #stack = new Uint8Array(64);
  #depth = 0;
  #inString = false;
  #escaped = false;
  #previous = 0;
  #lines = 0;
  #reason = '';

  constructor(line: number, eventBytes: number, inArray: boolean) {
    this.line = line;
    this.#eventBytes = eventBytes;
    this.inArray = inArray;
    this.#indent = line === 1 && !inArray ? 0 : -1;
  }

  split(
    buffer: Buffer,
    start: number,
    end: number,
    final: boolean,
    isValidUtf8: boolean,
    sink: EventSink,
  ): number {
    const view = buffer.subarray(0, end);
    const passed = this.#elements(view, start, final, isValidUtf8, sink);
    if (final && this.inArray && !sink.isFull) {
      this.inArray = false;
      sink.broken(view, end, end, this.line, this.line, unclosedArray);
    }
    return passed;
  }

  #elements(
    view: Buffer,
    start: number,
    final: boolean,
    isValidUtf8: boolean,
    sink: EventSink,
  ): number {
    const end = view.length;
    let at = start;
    while (at < end && !sink.isFull) {
      if (this.#discarding) {
        this.#lines = 0;
        const next = this.#follow(view, at, final);
        this.line += this.#lines;
        if (next === INCOMPLETE) return final ? end : this.#last;
        this.#discarding = false;
        this.#indent = -1;
        if (next === BROKEN) this.#maxIndent = Number.POSITIVE_INFINITY;
        at = next === BROKEN ? this.#last : next;
        continue;
      }
      if (this.#maxIndent !== undefined) {
        at = this.#seek(view, at, final);
        if (this.#maxIndent !== undefined) return at;
        continue;
      }
      const byte = view[at] as number;
      if (isSpace(byte) || byte === COMMA || byte === RECORD_SEPARATOR) {
        if (byte === RETURN && at + 1 === end && !final) return at;
        if (byte === NEWLINE || (byte === RETURN && view[at + 1] !== NEWLINE)) {
          this.line += 1;
          this.#indent = 0;
        } else if (byte === COMMA) this.#indent = -1;
        else if (this.#indent >= 0) this.#indent += 1;
        at += 1;
      } else if (byte === OPEN_SQUARE && !this.inArray) {
        this.inArray = true;
        this.#indent = -1;
        at += 1;
      } else if (byte === CLOSE_SQUARE && this.inArray) {
        this.inArray = false;
        this.#indent = -1;
        at += 1;
      } else {
        const next = this.#element(view, at, final, isValidUtf8, sink);
        if (next === INCOMPLETE) return at;
        at = next;
      }
    }
    return at;
  }

  /** Splits off an element and returns its end. */
  #element(
    view: Buffer,
    at: number,
    final: boolean,
    isValidUtf8: boolean,
    sink: EventSink,
  ): number {
    const { line } = this;
    const byte = view[at] as number;
    if (byte !== OPEN_CURLY) return this.#nonObject(view, at, final, sink);
    const next = this.#followFrom(view, at, final);
    if (next === BROKEN) return this.#reportBroken(view, at, this.#last, final, this.#reason, sink);
    const long = (next === INCOMPLETE ? view.length : next) - at > this.#eventBytes;
    if (next === INCOMPLETE) {
      if (long) return this.#discard(view, at, tooLong(this.#eventBytes), sink);
      if (!final) return INCOMPLETE;
      const lastLine = line + this.#lines;
      sink.broken(view, at, view.length, line, lastLine, endsInside);
      this.line = lastLine;
      this.inArray = false;
      return view.length;
    }
    const nextLine = line + this.#lines;
    this.line = nextLine;
    this.#indent = -1;
    const reason = long
      ? tooLong(this.#eventBytes)
      : !isValidUtf8 && !isText(view.subarray(at, next))
        ? notUtf8
        : undefined;
    if (reason === undefined) sink.event(view, at, next, next, line, nextLine);
    else sink.broken(view, at, next, line, long ? line : nextLine, reason);
    return next;
  }

  /** Handles bytes between events that aren't an event. */
  #nonObject(view: Buffer, at: number, final: boolean, sink: EventSink): number {
    const byte = view[at] as number;
    if (!this.inArray || byte === CLOSE_CURLY) {
      const reason = byte === CLOSE_CURLY || byte === CLOSE_SQUARE ? unopened : notObject;
      return this.#reportBroken(view, at, at, final, reason, sink);
    }
    const { line } = this;
    let next: number;
    if (byte === OPEN_SQUARE || byte === QUOTE) {
      next = this.#followFrom(view, at, final);
      if (next === BROKEN)
        return this.#reportBroken(view, at, this.#last, final, this.#reason, sink);
      if (next === INCOMPLETE) {
        if (view.length - at > this.#eventBytes) return this.#discard(view, at, notObject, sink);
        if (!final) return INCOMPLETE;
        next = view.length;
      }
      this.line += this.#lines;
    } else {
      const end = Math.min(view.length, at + this.#eventBytes + 1);
      next = at;
      while (next < end && !endsWord(view[next] as number)) next += 1;
      if (next - at > this.#eventBytes)
        return this.#reportBroken(view, at, at, final, notObject, sink);
      if (next === view.length && !final) return INCOMPLETE;
    }
    this.#indent = -1;
    sink.broken(view, at, next, line, this.line, notObject);
    return next;
  }

  /** Follows the value at `at`, no further than the longest event, so that the result doesn't depend on the window. */
  #followFrom(view: Buffer, at: number, final: boolean): number {
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#lines = 0;
    const limit = at + this.#eventBytes + 1;
    return limit < view.length
      ? this.#follow(view.subarray(0, limit), at, false)
      : this.#follow(view, at, final);
  }

  /** Reports an overlong event and skips the rest as it arrives. */
  #discard(view: Buffer, at: number, reason: string, sink: EventSink): number {
    sink.broken(view, at, this.#last, this.line, this.line, reason);
    this.line += this.#lines;
    this.#discarding = true;
    return this.#last;
  }

  /**
   * Reports the value at `at` as broken, up to the end of the line of `seen`. The next event is looked for on the lines
   * after `at`.
   */
  #reportBroken(
    view: Buffer,
    at: number,
    seen: number,
    final: boolean,
    reason: string,
    sink: EventSink,
  ): number {
    let end = Math.min(seen, at + this.#eventBytes);
    const limit = Math.min(view.length, at + this.#eventBytes + 1);
    while (end < limit && view[end] !== NEWLINE && view[end] !== RETURN) end += 1;
    if (end === view.length && !final && end - at <= this.#eventBytes) return INCOMPLETE;
    sink.broken(view, at, end, this.line, this.line, reason);
    this.#maxIndent = this.#indent >= 0 ? this.#indent : Number.POSITIVE_INFINITY;
    return at + 1;
  }

  /**
   * Looks for a line that starts with an object or ends the array. Returns its start, or the end of the skipped bytes.
   */
  #seek(view: Buffer, from: number, final: boolean): number {
    const maxIndent = this.#maxIndent as number;
    for (let at = from; ; ) {
      while (at < view.length && view[at] !== NEWLINE && view[at] !== RETURN) at += 1;
      if (at === view.length) return at;
      let first = at + 1;
      if (view[at] === RETURN && view[first] === NEWLINE) first += 1;
      let token = first;
      while (token < view.length && (view[token] === 0x20 || view[token] === 0x09)) token += 1;
      if (token === view.length) {
        if (!final) return at;
        this.line += 1;
        return token;
      }
      this.line += 1;
      const indent = token - first;
      const byte = view[token];
      const found =
        byte === OPEN_CURLY
          ? indent <= maxIndent
          : byte === CLOSE_SQUARE && (indent < maxIndent || maxIndent === 0);
      if (found) {
        this.#maxIndent = undefined;
        this.#indent = indent;
        return token;
      }
      at = first;
    }
  }

  /** The offset that `#follow` reached. */
  #last = 0;

  /** Returns the end of an object, array or string, or INCOMPLETE or BROKEN. */
  #follow(view: Buffer, start: number, final: boolean): number {
    const end = view.length;
    let inString = this.#inString;
    let depth = this.#depth;
    let previous = this.#previous;
    let stack = this.#stack;
    let lines = 0;
    let at = start;
    if (this.#escaped && at < end) {
      this.#escaped = false;
      at += 1;
    }
    let result = INCOMPLETE;
    scan: while (at < end) {
      if (inString) {
        let byte = 0;
        while (at < end) {
          byte = view[at] as number;
          if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
          at += 1;
        }
        if (at === end) break;
        if (byte === QUOTE) {
          inString = false;
          if (depth === 0) {
            result = at + 1;
            break;
          }
        } else if (byte === BACKSLASH) {
          at += 1;
          if (at === end) this.#escaped = true;
        } else if (byte === NEWLINE || byte === RETURN) {
          this.#reason = brokenString;
          result = BROKEN;
          break;
        }
        at += 1;
        continue;
      }
      const byte = view[at] as number;
      switch (byte) {
        case QUOTE:
          inString = true;
          break;
        case OPEN_CURLY:
        case OPEN_SQUARE:
          // Inside an object, a value must follow a colon.
          if (depth > 0 && stack[depth - 1] === OPEN_CURLY && previous !== COLON) {
            this.#reason = missingBracket;
            result = BROKEN;
            break scan;
          }
          if (depth === stack.length) {
            this.#growStack();
            stack = this.#stack;
          }
          stack[depth] = byte;
          depth += 1;
          previous = byte;
          break;
        case CLOSE_CURLY:
        case CLOSE_SQUARE:
          depth -= 1;
          // The character codes of matching brackets differ by two.
          if (depth < 0 || stack[depth] !== byte - 2) {
            this.#reason = unmatched;
            result = BROKEN;
            break scan;
          }
          if (depth === 0) {
            result = at + 1;
            break scan;
          }
          break;
        case COMMA:
        case COLON:
          previous = byte;
          break;
        case RETURN:
          if (at + 1 === end && !final) break scan;
          if (view[at + 1] !== NEWLINE) lines += 1;
          break;
        case NEWLINE:
          lines += 1;
          break;
      }
      at += 1;
    }
    this.#inString = inString;
    this.#depth = depth;
    this.#previous = previous;
    this.#lines += lines;
    this.#last = Math.min(at, end);
    return result;
  }

  #growStack(): void {
    const larger = new Uint8Array(this.#stack.length * 2);
    larger.set(this.#stack);
    this.#stack = larger;
  }
}

function endsWord(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_SQUARE || byte === CLOSE_CURLY;
}
