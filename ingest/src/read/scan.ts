// Moves a window over a file while a splitter finds the events in it.
import type { FileSource, Position } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import { type ByteStream, openBytes } from './byteStream.ts';
import { fileProblem } from './problems.ts';
import { CsvSplitter } from './split/csvRecords.ts';
import { JsonSplitter } from './split/jsonElements.ts';
import { LineSplitter } from './split/lines.ts';
import { type EventSink, isText, type Splitter } from './split/splitter.ts';
import { WINDOW_BYTES, Windows } from './windows.ts';

/** A sink that receives the window's position in the file. */
export interface WindowSink extends EventSink {
  /** `base` is the file offset of the buffer's first byte; `stored` is as in a Position. */
  begin(base: number, stored: number, splitter: Splitter): void;
  /** Called when the window has been split up to `consumed` and is about to change. */
  release(consumed: number): void;
}

export type Start = Pick<Position, 'offset' | 'line' | 'inArray'>;

export const fileStart: Start = { offset: 0, line: 1 };

export function createSplitter(settings: ReadSettings, eventBytes: number, start: Start): Splitter {
  switch (settings.format) {
    case 'json':
      return new JsonSplitter(start.line, eventBytes, start.inArray === true);
    case 'csv':
      return new CsvSplitter(start.line, eventBytes, settings.csv?.delimiter ?? ',');
    default:
      return new LineSplitter(start.line, eventBytes, settings.format === 'ndjson');
  }
}

/** Splits a file from `start` to `until` and yields after each window. Throws a FileProblem with the line reached. */
export async function* scan(
  source: FileSource,
  settings: ReadSettings,
  eventBytes: number,
  sink: WindowSink,
  start: Start = fileStart,
  until = Number.POSITIVE_INFINITY,
  windowBytes = WINDOW_BYTES,
): AsyncGenerator<ByteStream, void, void> {
  const splitter = createSplitter(settings, eventBytes, start);
  let stream: ByteStream | undefined;
  try {
    stream = await openBytes(source, settings, start.offset);
    const windows = new Windows(
      stream,
      start.offset,
      until,
      bufferBytesFor(source, settings, windowBytes),
    );
    for (let consumed = 0; ; ) {
      await windows.advance(consumed);
      const { buffer, start: from, end, base, stored, final } = windows;
      const whole = final ? end : characterEnd(buffer, from, end);
      const isValidUtf8 = isText(buffer.subarray(from, whole));
      sink.begin(base, stored - end, splitter);
      consumed = splitter.split(buffer, from, end, final, isValidUtf8, sink);
      sink.release(consumed);
      yield stream;
      if (final || sink.isFull) return;
    }
  } catch (error) {
    throw fileProblem(error, source.name, stream && splitter.line);
  } finally {
    await stream?.close();
  }
}

/**
 * Returns at most `bytes`, and less for a shorter file, because allocating unused memory would take longer than reading
 * a small file. The size of a compressed file's content is unknown.
 */
export function bufferBytesFor(
  { size }: FileSource,
  { compression }: Pick<ReadSettings, 'compression'>,
  bytes: number,
): number {
  return compression === 'none' ? Math.min(bytes, size + 1) : bytes;
}

/** Returns the end of the last complete character. A window may end within one. */
function characterEnd(buffer: Buffer, start: number, end: number): number {
  for (let back = 1; back <= 3 && back <= end - start; back += 1) {
    const byte = buffer[end - back] as number;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? end - back : end;
    }
  }
  return end;
}
