// Gathers events into batches. Events that are sent as they are in the file are copied in runs, since a copy per
// event would cost more than everything else.
import type { Batch, BatchLimits, BrokenEvent, Position } from '../contract.ts';
import { FileProblem } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { BodyPool } from './bodyPool.ts';
import type { Converter } from './convert/converter.ts';
import type { Cutter } from './cut/cutter.ts';
import { NEWLINE } from './cut/cutter.ts';
import { BROKEN_BYTES_MAX, BROKEN_MAX, BROKEN_TEXT_BYTES } from './limits.ts';
import { Output } from './output.ts';
import type { RequestOptions } from './request.ts';
import type { WindowSink } from './scan.ts';
import { compareInstants, formatInstant, type Instant } from './times/instant.ts';

/** Where the bodies of batches are written. */
interface BodyMemory {
  /** Bytes of a body at first; it grows as needed. Default: the limit of a batch. */
  readonly capacity?: number;
  readonly pool?: BodyPool;
}

export class BatchSink implements WindowSink {
  readonly #limits: BatchLimits;
  readonly #request: RequestOptions;
  readonly #stop: boolean;
  readonly #converter: Converter | undefined;
  readonly #without: ReadonlySet<number> | undefined;
  /** Batches that are complete. */
  readonly finished: Batch[] = [];
  /** What ended the file, where broken events do. */
  problem: FileProblem | undefined;

  readonly #output: Output;
  readonly #capacity: number;
  #start: Position;
  #events = 0;
  #firstLine = 0;
  #lastLine = 0;
  /** Of the events that were converted. */
  #firstTime: Instant | undefined;
  #lastTime: Instant | undefined;
  #broken: BrokenEvent[] = [];
  #brokenBytes = 0;

  #buffer: Buffer = Buffer.alloc(0);
  #base = 0;
  #stored = 0;
  #cutter: Cutter | undefined;
  // Bytes of the window that are to be copied.
  #runStart = 0;
  #runEnd = 0;
  /** Whether the header line of a CSV file is still to come. */
  #header: boolean;
  /** Events of the batch, those left out included. */
  #index = 0;
  // Where the last event ends.
  #endOffset = 0;
  #endLine = 1;
  #endInArray = false;

  /**
   * Without a converter the bytes of the file are lines of JSON. With one, `without` may have places of events to
   * leave out.
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

  get full(): boolean {
    return this.problem !== undefined;
  }

  begin(base: number, stored: number, cutter: Cutter): void {
    this.#base = base;
    this.#stored = stored;
    this.#cutter = cutter;
  }

  release(passed: number): void {
    this.#copyRun();
    if (this.problem === undefined) this.#passed(passed, this.#cutter?.line ?? 1);
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
      this.#passed(next, nextLine);
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
        this.#passed(next, nextLine);
        return;
      }
      output.byte(NEWLINE);
      if (this.#events > 0 && output.length > this.#limits.bytes) {
        // It belongs to the next batch.
        const converted = Buffer.from(output.bytes.subarray(before, output.length));
        output.length = before;
        this.#finish(start, line);
        output.copy(converted, 0, converted.length);
      }
      if (converter.time !== undefined) this.#addTime(converter.time);
    }
    if (this.#events === 0) this.#firstLine = line;
    this.#events += 1;
    // An event that ends with its line ends on it; an element of an array may be one of several on a line.
    this.#lastLine = this.#cutter?.inArray === undefined ? nextLine - 1 : nextLine;
    this.#passed(next, nextLine);
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
        `Line ${line.toLocaleString('en-US')} cannot be read as an event. ${reason}`,
        line,
      );
      return;
    }
    if (this.#broken.length >= BROKEN_MAX || this.#brokenBytes > BROKEN_BYTES_MAX) {
      this.#finish(start, line);
    }
    // Of an event that is too long no more than its limit is sure to be in the window.
    const kept = Math.min(BROKEN_TEXT_BYTES, this.#limits.eventBytes);
    const text = buffer.toString('utf8', start, Math.min(end, start + kept));
    this.#broken.push({ line, lastLine, reason, text });
    this.#brokenBytes += text.length;
  }

  /** Ends the last batch, at the end of the file. */
  end(): void {
    if (this.#events === 0 && this.#broken.length === 0) return;
    this.#finishAt(this.#endOffset, this.#endLine, this.#endInArray);
  }

  /** Ends the batch even if there is nothing in it. */
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

  #passed(next: number, nextLine: number): void {
    this.#endOffset = this.#base + next;
    this.#endLine = nextLine;
    this.#endInArray = this.#cutter?.inArray === true;
  }

  get #size(): number {
    return this.#output.length + this.#runEnd - this.#runStart;
  }

  #copyRun(): void {
    if (this.#runEnd > this.#runStart) {
      this.#output.copy(this.#buffer, this.#runStart, this.#runEnd);
      // The last line of a file may lack its end.
      if (this.#output.bytes[this.#output.length - 1] !== NEWLINE) this.#output.byte(NEWLINE);
    }
    this.#runStart = 0;
    this.#runEnd = 0;
  }

  #finish(at: number, line: number): void {
    this.#finishAt(this.#base + at, line, this.#cutter?.inArray === true);
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
