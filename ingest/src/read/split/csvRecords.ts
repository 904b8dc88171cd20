// Splits CSV into records. A quoted value may span lines. If a quote is never closed or is followed by text, the line
// is reported as broken and splitting resumes at the next line, so a stray quote doesn't consume the rest of the file.
import {
  type EventSink,
  isSpace,
  isText,
  NEWLINE,
  notUtf8,
  QUOTE,
  RETURN,
  type Splitter,
  tooLong,
} from './splitter.ts';

export const unclosedQuote = 'A quote is opened and never closed.';
export const textAfterQuote = 'Text follows a closing quote. Double the quotes inside a value.';

export class CsvSplitter implements Splitter {
  readonly #delimiter: number;
  readonly #eventBytes: number;
  readonly #reasons: Readonly<Record<'long' | 'unclosed' | 'followed', string>>;
  /** Whether the rest of an overlong line is being skipped. */
  #discarding = false;
  line: number;
  // The end of the record found by `#record`, and its line count.
  #end = 0;
  #next = 0;
  #lines = 0;

  /** `delimiter` is an ASCII character. */
  constructor(line: number, eventBytes: number, delimiter: string) {
    this.line = line;
    this.#eventBytes = eventBytes;
    this.#reasons = {
      long: tooLong(eventBytes),
      unclosed: unclosedQuote,
      followed: textAfterQuote,
    };
    this.#delimiter = delimiter.charCodeAt(0);
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
    let at = start;
    let quote = -2;
    let carriage = -2;
    while (at < end && !sink.isFull) {
      // Fast path: most records have no quotes or carriage returns and end with a newline.
      const newline = view.indexOf(NEWLINE, at);
      if (quote !== -1 && quote < at) quote = view.indexOf(QUOTE, at);
      if (carriage !== -1 && carriage < at) carriage = view.indexOf(RETURN, at);
      const plain = newline < 0 ? end : newline;
      if (newline >= 0 && (quote < 0 || quote > plain) && (carriage < 0 || carriage >= plain - 1)) {
        this.#end = carriage === plain - 1 ? carriage : plain;
        this.#next = newline + 1;
        this.#lines = 1;
      } else if (this.#discarding) {
        if (!this.#line(view, at, final)) return this.#next;
      } else {
        const found = this.#record(view, at, final);
        if (found === 'incomplete') return at;
        if (found !== 'complete') {
          // Leaves out only this line, if it ends, because the record may have a stray quote.
          const ends = this.#line(view, at, final);
          if (!ends && end - at <= this.#eventBytes) return at;
          this.#broken(view, at, this.#reasons[found], sink);
          at = this.#next;
          if (ends) continue;
          this.#discarding = true;
          return at;
        }
      }
      // The overlong line was already counted.
      if (this.#discarding) this.#discarding = false;
      else this.#event(view, at, isValidUtf8, sink);
      at = this.#next;
    }
    return at;
  }

  #event(view: Buffer, start: number, isValidUtf8: boolean, sink: EventSink): void {
    const { line } = this;
    const end = this.#end;
    this.line += this.#lines;
    if (isBlank(view, start, end, this.#delimiter)) return;
    const reason =
      end - start > this.#eventBytes
        ? tooLong(this.#eventBytes)
        : !isValidUtf8 && !isText(view.subarray(start, end))
          ? notUtf8
          : undefined;
    if (reason === undefined) sink.event(view, start, end, this.#next, line, this.line);
    else sink.broken(view, start, end, line, this.line - 1, reason);
  }

  #broken(view: Buffer, start: number, reason: string, sink: EventSink): void {
    sink.broken(view, start, this.#end, this.line, this.line, reason);
    this.line += 1;
  }

  /**
   * Finds the end of a line. Returns false if it isn't complete, which includes a final carriage return that may be
   * half of a line end.
   */
  #line(view: Buffer, start: number, final: boolean): boolean {
    const end = view.length;
    for (let at = start; at < end; at += 1) {
      const byte = view[at] as number;
      if (byte !== NEWLINE && byte !== RETURN) continue;
      const half = byte === RETURN && at + 1 === end && !final;
      this.#end = at;
      this.#next = half ? at : byte === RETURN && view[at + 1] === NEWLINE ? at + 2 : at + 1;
      this.#lines = 1;
      return !half;
    }
    this.#end = end;
    this.#next = end;
    this.#lines = 1;
    return final;
  }

  #record(
    view: Buffer,
    start: number,
    final: boolean,
  ): 'complete' | 'incomplete' | 'long' | 'unclosed' | 'followed' {
    const delimiter = this.#delimiter;
    // Looks no further than the longest event, so that the result doesn't depend on the window.
    const end = Math.min(view.length, start + this.#eventBytes + 1);
    const long = end - start > this.#eventBytes;
    let lines = 1;
    let at = start;
    for (;;) {
      if (at < end && view[at] === QUOTE) {
        for (at += 1; ; at += 1) {
          if (at >= end) return long ? 'long' : final ? 'unclosed' : 'incomplete';
          const byte = view[at];
          if (byte === QUOTE) {
            if (at + 1 === end && (long || !final)) return long ? 'long' : 'incomplete';
            if (view[at + 1] !== QUOTE) break;
            at += 1;
          } else if (byte === NEWLINE || (byte === RETURN && view[at + 1] !== NEWLINE)) lines += 1;
        }
        at += 1;
        const after = at < end ? view[at] : NEWLINE;
        if (after !== delimiter && after !== NEWLINE && after !== RETURN) return 'followed';
      } else {
        while (at < end) {
          const byte = view[at];
          if (byte === delimiter || byte === NEWLINE || byte === RETURN) break;
          at += 1;
        }
      }
      if (at >= end) break;
      const byte = view[at];
      if (byte !== delimiter) {
        if (byte === RETURN && at + 1 === view.length && !final) return 'incomplete';
        this.#end = at;
        this.#next = byte === RETURN && view[at + 1] === NEWLINE ? at + 2 : at + 1;
        this.#lines = lines;
        return 'complete';
      }
      at += 1;
    }
    if (long || !final) return long ? 'long' : 'incomplete';
    this.#end = end;
    this.#next = end;
    this.#lines = lines;
    return 'complete';
  }
}

function isBlank(view: Buffer, start: number, end: number, delimiter: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = view[at] as number;
    if (byte === delimiter || !isSpace(byte)) return false;
  }
  return true;
}
