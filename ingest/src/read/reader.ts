// Splits a file into batches, and reads their events again for reports.
import {
  type Batch,
  type BatchEvent,
  type BatchLimits,
  type BatchReader,
  type BrokenBatchEvent,
  FileProblem,
  type FileSource,
  type Position,
} from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import { BatchSink } from './batchSink.ts';
import { BodyPool } from './bodyPool.ts';
import { converterOf, headerOf } from './converters.ts';
import { EventSink } from './eventSink.ts';
import type { CsvHeader } from './header.ts';
import { batchLimits } from './limits.ts';
import { noEvents } from './problems.ts';
import { type RequestOptions, requestOptions } from './request.ts';
import { bufferBytesFor, scan, type WindowSink } from './scan.ts';
import { formatInstant } from './times/instant.ts';
import { WINDOW_BYTES } from './windows.ts';

const fileStart: Position = { batch: 0, events: 0, broken: 0, offset: 0, line: 1, stored: 0 };

/**
 * Creates a reader for a file and its settings. Nothing is opened until batches are requested. `windowBytes` is the
 * size of the window moved over the file; batches don't depend on it.
 */
export function batchReader(
  source: FileSource,
  settings: ReadSettings,
  limits: BatchLimits = batchLimits,
  windowBytes = WINDOW_BYTES,
): BatchReader {
  return new FileReader(source, settings, limits, windowBytes);
}

class FileReader implements BatchReader {
  readonly #source: FileSource;
  readonly #settings: ReadSettings;
  readonly #limits: BatchLimits;
  readonly #windowBytes: number;
  readonly #request: RequestOptions;
  readonly #pool = new BodyPool();
  #header: Promise<CsvHeader | undefined> | undefined;

  constructor(
    source: FileSource,
    settings: ReadSettings,
    limits: BatchLimits,
    windowBytes: number,
  ) {
    this.#windowBytes = windowBytes;
    this.#source = source;
    this.#settings = settings;
    this.#limits = limits;
    this.#request = requestOptions(settings);
  }

  #headerOf(): Promise<CsvHeader | undefined> {
    this.#header ??= headerOf(this.#source, this.#settings);
    return this.#header;
  }

  #scan(sink: WindowSink, start: Position, until?: number): AsyncIterable<unknown> {
    const { eventBytes } = this.#limits;
    return scan(this.#source, this.#settings, eventBytes, sink, start, until, this.#windowBytes);
  }

  async *batches(from: Position = fileStart): AsyncGenerator<Batch, void, void> {
    const converter = converterOf(this.#settings, await this.#headerOf());
    const sink = new BatchSink(
      this.#settings,
      this.#limits,
      this.#request,
      converter,
      from,
      undefined,
      {
        capacity: bufferBytesFor(this.#source, this.#settings, this.#limits.bytes),
        pool: this.#pool,
      },
    );
    let found = from.events + from.broken > 0;
    let failure: unknown;
    try {
      for await (const _ of this.#scan(sink, from)) {
        for (let batch = sink.finished.shift(); batch; batch = sink.finished.shift()) {
          found = true;
          yield batch;
        }
      }
    } catch (error) {
      failure = error;
    }
    // Yields what was read ahead of a failure, so that the run ends at the failure's line.
    sink.end();
    for (const batch of sink.finished) {
      found = true;
      yield batch;
    }
    failure ??= sink.problem;
    if (failure !== undefined) throw failure;
    if (!found) throw new FileProblem(noEvents(this.#settings));
  }

  async events(
    start: Position,
    end: Position,
  ): Promise<{ events: BatchEvent[]; broken: BrokenBatchEvent[] }> {
    const header = await this.#headerOf();
    const events: BatchEvent[] = [];
    const broken: BrokenBatchEvent[] = [];
    const sink = new EventSink(
      this.#settings,
      converterOf(this.#settings, header),
      start.offset === 0 && header?.record !== undefined,
      {
        event: ({ index, line, lastLine, text, time }) =>
          events.push({ index, line, lastLine, text, ...(time && { time: formatInstant(time) }) }),
        broken: (event) => {
          const { index } = event;
          if (index !== undefined) broken.push({ ...event, index });
        },
      },
    );
    for await (const _ of this.#scan(sink, start, end.offset));
    return { events, broken };
  }

  recycle(body: Batch['body']): void {
    this.#pool.give(body.buffer);
  }

  async fileHead(): Promise<string> {
    const record = (await this.#headerOf())?.record;
    return record === undefined ? '' : `${record.toString()}\n`;
  }

  async batchWithout(start: Position, end: Position, indexes: ReadonlySet<number>): Promise<Batch> {
    const converter = converterOf(this.#settings, await this.#headerOf(), true);
    const sink = new BatchSink(
      this.#settings,
      // A rewritten batch may be longer and isn't split again.
      { ...this.#limits, events: Number.POSITIVE_INFINITY, bytes: this.#limits.bytes * 2 },
      this.#request,
      converter,
      start,
      indexes,
    );
    for await (const _ of this.#scan(sink, start, end.offset));
    return { ...sink.endAlways(), end };
  }
}
