// Gathers events into batches. Events sent unchanged are copied in runs, because copying each would dominate the cost.

import { grouped } from '../../../formats/src/counts.ts';
import type { Instant } from '../../../formats/src/rfc3339.ts';
import type { Batch, BatchLimits, BrokenEvent, Position } from '../contract.ts';
import { FileProblem } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { BodyPool } from './bodyPool.ts';
import type { Converter } from './convert/converter.ts';
import { BROKEN_BYTES_MAX, BROKEN_MAX, BROKEN_TEXT_BYTES } from './limits.ts';
import { Output } from './output.ts';
import type { RequestOptions } from './request.ts';
import type { WindowSink } from './scan.ts';
import type { Splitter } from './split/splitter.ts';
import { NEWLINE } from './split/splitter.ts';
import { compareInstants, formatInstant } from './times/instant.ts';

/** Memory for the bodies of batches. */
interface BodyMemory {
  /** Initial size of a body in bytes; it grows as needed. Default: the batch limit. */
  readonly capacity?: number;
  readonly pool?: BodyPool;
}

export class BatchSink implements WindowSink {
  readonly #limits: BatchLimits;
  readonly #request: RequestOptions;
  readonly #stop: boolean;
  readonly #converter: Converter | undefined;
  readonly #without: ReadonlySet<number> | undefined;
  /** Complete batches. */
  readonly finished: Batch[] = [];
  /** The problem that ended the file, if broken events do. */
  problem: FileProblem | undefined;

  readonly #output: Output;
  readonly #capacity: number;
  #start: Position;
  #events = 0;
  #firstLine = 0;
  #lastLine = 0;
  /** The earliest and latest time of the converted events. */
  #firstTime: Instant | undefined;
  #lastTime: Instant | undefined;
  #broken: BrokenEvent[] = [];
  #brokenBytes = 0;

  #buffer: Buffer = Buffer.alloc(0);
  #base = 0;
  #stored = 0;
  #splitter: Splitter | undefined;
  // The byte range of the window still to be copied.
  #runStart = 0;
  #runEnd = 0;
  /** Whether a CSV file's header line is still ahead. */
  #header: boolean;
  /** The number of events in the batch, including those left out. */
  #index = 0;
  // The end of the last event.
  #endOffset = 0;
  #endLine = 1;
  #endInArray = false;

  /**
   * Without a converter, the file's bytes are used as lines of JSON. With one, `without` may list the indexes of events
   * to leave out.
   */
  constructor(
    settings: ReadSettings,
    limits: BatchLimits,
    request: RequestOptions,
    converter: Converter | undefined,
    start: Position,
    without?: ReadonlySet<number>,
    memory: BodyMemory = {},
  ) {
    this.#limits = limits;
    this.#request = request;
    this.#stop = settings.broken === 'stop' && without === undefined;
    this.#converter = converter;
    this.#without = without;
    this.#start = start;
    this.#header = settings.format === 'csv' && settings.csv?.header === true && start.offset === 0;
    this.#capacity = memory.capacity ?? limits.bytes;
    this.#output = new Output(this.#capacity, memory.pool);
    this.#endOffset = start.offset;
    this.#endLine = start.line;
    this.#endInArray = start.inArray === true;
  }

  get isFull(): boolean {
    return this.problem !== undefined;
  }

  begin(base: number, stored: number, splitter: Splitter): void {
    this.#base = base;
    this.#stored = stored;
    this.#splitter = splitter;
  }

  release(passed: number): void {
    this.#copyRun();
    if (this.problem === undefined) this.#setEnd(passed, this.#splitter?.line ?? 1);
  }

  event(
    buffer: Buffer,
    start: number,
    end: number,
    next: number,
    line: number,
    nextLine: number,
  ): void {
    if (this.#header) {
      this.#header = false;
      this.#setEnd(next, nextLine);
      return;
    }
    const converter = this.#converter;
    if (converter === undefined) {
      const bytes = next - start;
      if (this.#events > 0 && this.#size + bytes > this.#limits.bytes) this.#finish(start, line);
      if (this.#runEnd !== start || this.#buffer !== buffer) {
        this.#copyRun();
        this.#buffer = buffer;
        this.#runStart = start;
      }
      this.#runEnd = next;
    } else {
      const output = this.#output;
      const before = output.length;
      const reason = converter.convert(buffer, start, end, output);
      if (reason !== undefined) {
        output.length = before;
        this.broken(buffer, start, end, line, Math.max(line, nextLine - 1), reason);
        return;
      }
      if (this.#without?.has(this.#index++)) {
        output.length = before;
        this.#setEnd(next, nextLine);
        return;
      }
      output.byte(NEWLINE);
      if (this.#events > 0 && output.length > this.#limits.bytes) {
        // The event belongs to the next batch.
        const converted = Buffer.from(output.bytes.subarray(before, output.length));
        output.length = before;
        this.#finish(start, line);
        output.copy(converted, 0, converted.length);
      }
      if (converter.time !== undefined) this.#addTime(converter.time);
    }
    if (this.#events === 0) this.#firstLine = line;
    this.#events += 1;
    // An event that ends with its line ends on that line. Several array elements may share a line.
    this.#lastLine = this.#splitter?.inArray === undefined ? nextLine - 1 : nextLine;
    this.#setEnd(next, nextLine);
    if (this.#events === this.#limits.events) this.#finish(next, nextLine);
  }

  broken(
    buffer: Buffer,
    start: number,
    end: number,
    line: number,
    lastLine: number,
    reason: string,
  ): void {
    if (this.#stop) {
      this.problem = new FileProblem(
        `Line ${grouped(line)} cannot be read as an event. ${reason}`,
        line,
      );
      return;
    }
    if (this.#broken.length >= BROKEN_MAX || this.#brokenBytes > BROKEN_BYTES_MAX) {
      this.#finish(start, line);
    }
    // The window may contain no more of an overlong event than the limit.
    const textBytes = Math.min(BROKEN_TEXT_BYTES, this.#limits.eventBytes);
    const text = buffer.toString('utf8', start, Math.min(end, start + textBytes));
    this.#broken.push({ line, lastLine, reason, text });
    this.#brokenBytes += text.length;
  }

  /** Ends the last batch at the end of the file. */
  end(): void {
    if (this.#events === 0 && this.#broken.length === 0) return;
    this.#finishAt(this.#endOffset, this.#endLine, this.#endInArray);
  }

  /** Ends the batch even if it is empty. */
  endAlways(): Batch {
    this.#finishAt(this.#endOffset, this.#endLine, this.#endInArray);
    return this.finished[0] as Batch;
  }

  #addTime(time: Instant): void {
    if (this.#firstTime === undefined || compareInstants(time, this.#firstTime) < 0) {
      this.#firstTime = time;
    }
    if (this.#lastTime === undefined || compareInstants(time, this.#lastTime) > 0) {
      this.#lastTime = time;
    }
  }

  #setEnd(next: number, nextLine: number): void {
    this.#endOffset = this.#base + next;
    this.#endLine = nextLine;
    this.#endInArray = this.#splitter?.inArray === true;
  }

  get #size(): number {
    return this.#output.length + this.#runEnd - this.#runStart;
  }

  #copyRun(): void {
    if (this.#runEnd > this.#runStart) {
      this.#output.copy(this.#buffer, this.#runStart, this.#runEnd);
      // The file's last line may lack a line end.
      if (this.#output.bytes[this.#output.length - 1] !== NEWLINE) this.#output.byte(NEWLINE);
    }
    this.#runStart = 0;
    this.#runEnd = 0;
  }

  #finish(at: number, line: number): void {
    this.#finishAt(this.#base + at, line, this.#splitter?.inArray === true);
  }

  #finishAt(offset: number, line: number, inArray: boolean): void {
    this.#copyRun();
    const end: Position = {
      batch: this.#start.batch + 1,
      events: this.#start.events + this.#events,
      broken: this.#start.broken + this.#broken.length,
      offset,
      line,
      ...(inArray && { inArray }),
      stored: Math.max(this.#start.stored, this.#stored + (offset - this.#base)),
    };
    const body = this.#output.take(this.#capacity);
    this.finished.push({
      body,
      bytes: body.length,
      contentEncoding: 'identity',
      contentType: 'application/x-ndjson',
      query: this.#request.query,
      headers: this.#request.headers,
      events: this.#events,
      firstLine: this.#events > 0 ? this.#firstLine : (this.#broken[0]?.line ?? line),
      lastLine: this.#events > 0 ? this.#lastLine : (this.#broken.at(-1)?.lastLine ?? line),
      ...(this.#firstTime && { firstTime: formatInstant(this.#firstTime) }),
      ...(this.#lastTime && { lastTime: formatInstant(this.#lastTime) }),
      broken: this.#broken,
      start: this.#start,
      end,
    });
    this.#start = end;
    this.#events = 0;
    this.#index = 0;
    this.#firstTime = undefined;
    this.#lastTime = undefined;
    this.#broken = [];
    this.#brokenBytes = 0;
  }
}
