// Finds members of a JSON object in its bytes, without parsing the rest.
import {
  BACKSLASH,
  CLOSE_CURLY,
  CLOSE_SQUARE,
  COMMA,
  isSpace,
  OPEN_CURLY,
  OPEN_SQUARE,
  QUOTE,
} from '../split/splitter.ts';

const COLON = 0x3a;
const DOT = 0x2e;
const TIME_KEY = Buffer.from('_time');

export class TimeMember {
  readonly #path: Buffer;
  /** The time field's value. `valueStart` is -1 if the event lacks the field. */
  valueStart = -1;
  valueEnd = -1;
  /** The event's own `_time` member, including its key. `timeMemberStart` is -1 if there is none. */
  timeMemberStart = -1;
  timeMemberEnd = -1;
  /** Whether the event is an object without members. */
  empty = true;

  /** `field` may contain dots, which separate nested names or are part of a name. */
  constructor(field: string) {
    this.#path = Buffer.from(JSON.stringify(field).slice(1, -1));
  }

  /**
   * Scans the object from `start` to `end`. Returns false if its members can't be separated. Doesn't check that values
   * are valid JSON.
   */
  find(buffer: Buffer, start: number, end: number): boolean {
    this.valueStart = -1;
    this.timeMemberStart = -1;
    this.empty = true;
    return this.#object(buffer, start, end, 0, true) > 0;
  }

  /** Returns the end of the object, or -1. `matched` is the number of path bytes matched by its parents. */
  #object(buffer: Buffer, start: number, end: number, matched: number, outermost: boolean): number {
    const path = this.#path;
    let at = skipSpace(buffer, start + 1, end);
    if (buffer[at] === CLOSE_CURLY) return at + 1;
    if (outermost) this.empty = false;
    for (;;) {
      if (at >= end || buffer[at] !== QUOTE) return -1;
      const key = at + 1;
      at = skipString(buffer, at, end);
      if (at < 0) return -1;
      const keyEnd = at - 1;
      at = skipSpace(buffer, at, end);
      if (buffer[at] !== COLON) return -1;
      at = skipSpace(buffer, at + 1, end);
      const value = at;
      const length = keyEnd - key;
      const rest = path.length - matched;
      let valueEnd = -1;
      if (
        this.valueStart < 0 &&
        length <= rest &&
        buffer[key] === path[matched] &&
        buffer.compare(path, matched, matched + length, key, keyEnd) === 0
      ) {
        if (length === rest) {
          this.valueStart = value;
        } else if (path[matched + length] === DOT && buffer[value] === OPEN_CURLY) {
          valueEnd = this.#object(buffer, value, end, matched + length + 1, false);
        }
      }
      if (valueEnd < 0) valueEnd = skipValue(buffer, value, end);
      if (valueEnd < 0) return -1;
      if (this.valueStart === value) this.valueEnd = valueEnd;
      if (
        outermost &&
        length === TIME_KEY.length &&
        buffer.compare(TIME_KEY, 0, length, key, keyEnd) === 0
      ) {
        this.timeMemberStart = key - 1;
        this.timeMemberEnd = valueEnd;
      }
      at = skipSpace(buffer, valueEnd, end);
      const sign = at < end ? buffer[at] : undefined;
      if (sign === CLOSE_CURLY) return at + 1;
      if (sign !== COMMA) return -1;
      at = skipSpace(buffer, at + 1, end);
    }
  }
}

function skipSpace(buffer: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(buffer[at] as number)) at += 1;
  return at;
}

/** Returns the offset after the string at `start`, or -1 if it isn't closed. */
function skipString(buffer: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const byte = buffer[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at + 1;
  }
  return -1;
}

function skipValue(buffer: Buffer, start: number, end: number): number {
  const first = buffer[start];
  if (first === QUOTE) return skipString(buffer, start, end);
  let at = start;
  if (first === OPEN_CURLY || first === OPEN_SQUARE) {
    let depth = 0;
    while (at < end) {
      const byte = buffer[at];
      if (byte === QUOTE) {
        at = skipString(buffer, at, end);
        if (at < 0) return -1;
        continue;
      }
      at += 1;
      if (byte === OPEN_CURLY || byte === OPEN_SQUARE) depth += 1;
      else if (byte === CLOSE_CURLY || byte === CLOSE_SQUARE) {
        depth -= 1;
        if (depth === 0) return at;
      }
    }
    return -1;
  }
  while (at < end) {
    const byte = buffer[at] as number;
    if (byte === COMMA || byte === CLOSE_CURLY || byte === CLOSE_SQUARE || isSpace(byte)) break;
    at += 1;
  }
  return at > start ? at : -1;
}
