// Reads a sample as if it were a file. Events are generated on demand, in batches that can be regenerated on their own.
import { setImmediate as immediate } from 'node:timers/promises';
import type { Batch, Position } from '../contract.ts';
import { writeAppLogs } from './appLogs.ts';
import type { BlockWriter } from './block.ts';
import { writeHttpLogs } from './httpLogs.ts';
import { writeMetrics } from './metrics.ts';
import { Random } from './random.ts';
import type { SampleKind, SampleSettings } from './settings.ts';
import { Timeline } from './timeline.ts';
import { TimeText } from './timeText.ts';
import { writeTraces } from './traces.ts';

/** Number of events generated before yielding to other work, which takes a few milliseconds. */
const BLOCK_EVENTS = 1_000;
/** At about 400 bytes per event, a batch stays below the 4 MiB that every proxy accepts. */
const BATCH_EVENTS = 8 * BLOCK_EVENTS;

const writers: Readonly<Record<SampleKind, BlockWriter>> = {
  'http-logs': writeHttpLogs,
  'app-logs': writeAppLogs,
  traces: writeTraces,
  metrics: writeMetrics,
};

const start: Position = { batch: 0, events: 0, broken: 0, offset: 0, line: 1, stored: 0 };

/**
 * A reader of generated batches. In its positions, `stored` counts events and `line` is the number of the following
 * event.
 */
export class SampleReader {
  readonly #settings: SampleSettings;
  readonly #timeline: Timeline;

  constructor(settings: SampleSettings) {
    this.#settings = settings;
    this.#timeline = new Timeline(settings);
  }

  async *batches(from: Position = start): AsyncGenerator<Batch, void, undefined> {
    const { events } = this.#settings;
    for (let at = from; at.events < events; ) {
      const count = Math.min(BATCH_EVENTS, events - at.events);
      const batch = batchOf(await this.#body(at.events, count), at, count);
      yield batch;
      at = batch.end;
    }
  }

  async #body(first: number, count: number): Promise<Buffer<ArrayBuffer>> {
    const blocks: Buffer[] = [];
    for (let done = 0; done < count; done += BLOCK_EVENTS) {
      blocks.push(this.#block(first + done, Math.min(BLOCK_EVENTS, count - done)));
      await immediate();
    }
    return Buffer.concat(blocks) as Buffer<ArrayBuffer>;
  }

  #block(first: number, count: number): Buffer {
    const { kind, seed, spanMs, endMs } = this.#settings;
    const text = writers[kind]({
      first,
      count,
      random: new Random(seed, first),
      timeline: this.#timeline,
      seed,
      startMs: endMs - spanMs,
      endMs,
      time: new TimeText(),
    });
    return Buffer.from(text);
  }
}

function batchOf(body: Buffer<ArrayBuffer>, from: Position, events: number): Batch {
  const line = from.line + events;
  return {
    body,
    bytes: body.length,
    contentEncoding: 'identity',
    contentType: 'application/x-ndjson',
    query: {},
    headers: {},
    events,
    firstLine: from.line,
    lastLine: line - 1,
    broken: [],
    start: from,
    end: {
      batch: from.batch + 1,
      events: from.events + events,
      broken: 0,
      offset: from.offset + body.length,
      line,
      stored: from.stored + events,
    },
  };
}
