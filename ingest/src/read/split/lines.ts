// Splits a file into lines. NDJSON lines are checked only by their first and last byte, because scanning all bytes
// would take longer than sending them.

import { normalizeLineEnds } from './lineEnds.ts';
import {
  CLOSE_CURLY,
  COMMA,
  type EventSink,
  isSpace,
  isText,
  NEWLINE,
  notUtf8,
  OPEN_CURLY,
  RETURN,
  SPACE,
  type Splitter,
  tooLong,
} from './splitter.ts';

export class LineSplitter implements Splitter {
  readonly #objects: boolean;
  readonly #eventBytes: number;
  /** Whether the rest of an overlong line is being skipped. */
  #discarding = false;
  line: number;

  /** `objects` requires each line to be a JSON object. */
  constructor(line: number, eventBytes: number, objects: boolean) {
    this.line = line;
    this.#eventBytes = eventBytes;
    this.#objects = objects;
  }

  split(
    buffer: Buffer,
    start: number,
    end: number,
    final: boolean,
    isValidUtf8: boolean,
    sink: EventSink,
  ): number {
    const limit = normalizeLineEnds(buffer, start, end, final);
    const view = buffer.subarray(0, limit);
    const objects = this.#objects;
    let at = start;
    let { line } = this;
    while (at < limit && !sink.isFull) {
      const newline = view.indexOf(NEWLINE, at);
      if (newline < 0 && !final) {
        // A carriage return that may precede a newline is at `limit`.
        if (this.#discarding) at = limit;
        else if (limit - at > this.#eventBytes) {
          sink.broken(view, at, limit, line, line, tooLong(this.#eventBytes));
          this.#discarding = true;
          at = limit;
        }
        break;
      }
      const next = newline < 0 ? limit : newline + 1;
      let stop = newline < 0 ? limit : newline;
      if (stop > at && view[stop - 1] === RETURN) stop -= 1;
      if (this.#discarding) this.#discarding = false;
      else if (
        objects &&
        isValidUtf8 &&
        view[at] === OPEN_CURLY &&
        view[stop - 1] === CLOSE_CURLY &&
        stop - at <= this.#eventBytes
      ) {
        sink.event(view, at, stop, next, line, line + 1);
      } else this.#line(view, at, stop, next, line, isValidUtf8, sink);
      at = next;
      line += 1;
    }
    this.line = line;
    return at;
  }

  #line(
    view: Buffer,
    start: number,
    end: number,
    next: number,
    line: number,
    isValidUtf8: boolean,
    sink: EventSink,
  ): void {
    let first = start;
    let last = end;
    while (first < last && isSpace(view[first] as number)) first += 1;
    while (last > first && isSpace(view[last - 1] as number)) last -= 1;
    if (first === last) return;
    const reason = this.#reason(view, first, last, isValidUtf8);
    if (reason !== undefined) {
      sink.broken(view, start, end, line, line, reason);
    } else if (this.#objects) {
      if (view[last - 1] === COMMA) {
        view[last - 1] = SPACE;
        while (isSpace(view[last - 1] as number)) last -= 1;
      }
      sink.event(view, first, last, next, line, line + 1);
    } else sink.event(view, start, end, next, line, line + 1);
  }

  #reason(view: Buffer, start: number, end: number, isValidUtf8: boolean): string | undefined {
    if (end - start > this.#eventBytes) return tooLong(this.#eventBytes);
    if (!isValidUtf8 && !isText(view.subarray(start, end))) return notUtf8;
    if (!this.#objects) return undefined;
    if (view[start] !== OPEN_CURLY) return 'The line does not start with a JSON object.';
    let last = end - 1;
    // Accepts array elements written one per line, without the array's brackets.
    if (view[last] === COMMA) {
      last -= 1;
      while (last > start && isSpace(view[last] as number)) last -= 1;
    }
    return view[last] === CLOSE_CURLY ? undefined : 'The line ends inside its JSON object.';
  }
}
