// Reads the first events of a file as stored, neither truncated nor converted.
import type { BrokenEvent, FileSource } from '../contract.ts';
import { BROKEN_MAX, BROKEN_TEXT_BYTES, batchLimits } from '../read/limits.ts';
import { scan, type WindowSink } from '../read/scan.ts';
import type { Splitter } from '../read/split/splitter.ts';
import type { ReadSettings } from '../settings.ts';

/** Number of events used for guesses. */
export const SAMPLE_EVENTS = 1_000;
/** Number of bytes after which sampling stops. */
const SAMPLE_BYTES = 1024 * 1024;

export interface RawEvent {
  readonly bytes: Buffer;
  readonly line: number;
  readonly lastLine: number;
}

export interface Sample {
  readonly events: readonly RawEvent[];
  readonly broken: readonly BrokenEvent[];
  /** Whether the sample has all events of the file. */
  readonly complete: boolean;
}

export async function sampleEvents(
  source: FileSource,
  settings: ReadSettings,
  signal: AbortSignal,
): Promise<Sample> {
  const sink = new SampleSink();
  let windows = 0;
  for await (const _ of scan(source, settings, batchLimits.eventBytes, sink)) {
    signal.throwIfAborted();
    windows += 1;
    // The first window may contain only part of an event.
    const enough = sink.bytes >= SAMPLE_BYTES || (windows > 1 && sink.events.length > 0);
    if (enough || sink.brokenEvents.length >= BROKEN_MAX || sink.base > batchLimits.eventBytes) {
      return { events: sink.events, broken: sink.brokenEvents, complete: false };
    }
  }
  return { events: sink.events, broken: sink.brokenEvents, complete: !sink.isFull };
}

class SampleSink implements WindowSink {
  readonly events: RawEvent[] = [];
  readonly brokenEvents: BrokenEvent[] = [];
  bytes = 0;
  /** The window's offset in the file. */
  base = 0;
  #splitter: Splitter | undefined;

  get isFull(): boolean {
    return this.events.length > SAMPLE_EVENTS || this.brokenEvents.length > BROKEN_MAX;
  }

  begin(base: number, _stored: number, splitter: Splitter): void {
    this.base = base;
    this.#splitter = splitter;
  }

  release(): void {}

  event(
    buffer: Buffer,
    start: number,
    end: number,
    _next: number,
    line: number,
    nextLine: number,
  ): void {
    const lastLine = this.#splitter?.inArray === undefined ? nextLine - 1 : nextLine;
    this.events.push({ bytes: Buffer.from(buffer.subarray(start, end)), line, lastLine });
    this.bytes += end - start;
  }

  broken(
    buffer: Buffer,
    start: number,
    end: number,
    line: number,
    lastLine: number,
    reason: string,
  ): void {
    const text = buffer.toString('utf8', start, Math.min(end, start + BROKEN_TEXT_BYTES));
    this.brokenEvents.push({ line, lastLine, reason, text });
  }
}
