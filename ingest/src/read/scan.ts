// Moves a window over a file while a cutter finds the events in it.
import type { FileSource, Position } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import { type ByteStream, openBytes } from './byteStream.ts';
import { CsvCutter } from './cut/csvRecords.ts';
import { type Cutter, type EventSink, isText } from './cut/cutter.ts';
import { JsonCutter } from './cut/jsonElements.ts';
import { LineCutter } from './cut/lines.ts';
import { fileProblem } from './problems.ts';
import { WINDOW_BYTES, Windows } from './windows.ts';

/** A sink that receives the window's position in the file. */
export interface WindowSink extends EventSink {
  /** `base` is the file offset of the buffer's first byte; `stored` is as in a Position. */
  begin(base: number, stored: number, cutter: Cutter): void;
  /** Called when the window has been cut up to `passed` and is about to change. */
  release(passed: number): void;
}

export type Start = Pick<Position, 'offset' | 'line' | 'inArray'>;

export const fileStart: Start = { offset: 0, line: 1 };

export function cutterOf(settings: ReadSettings, eventBytes: number, start: Start): Cutter {
  switch (settings.format) {
    case 'json':
      return new JsonCutter(start.line, eventBytes, start.inArray === true);
    case 'csv':
      return new CsvCutter(start.line, eventBytes, settings.csv?.delimiter ?? ',');
    default:
      return new LineCutter(start.line, eventBytes, settings.format === 'ndjson');
  }
}

/** Cuts a file from `start` to `until` and yields after each window. Throws a FileProblem with the line reached. */
export async function* scan(
  source: FileSource,
  settings: ReadSettings,
  eventBytes: number,
  sink: WindowSink,
  start: Start = fileStart,
  until = Number.POSITIVE_INFINITY,
  windowBytes = WINDOW_BYTES,
): AsyncGenerator<ByteStream, void, void> {
  const cutter = cutterOf(settings, eventBytes, start);
  let stream: ByteStream | undefined;
  try {
    stream = await openBytes(source, settings, start.offset);
    const windows = new Windows(
      stream,
      start.offset,
      until,
      roomFor(source, settings, windowBytes),
    );
    for (let passed = 0; ; ) {
      await windows.advance(passed);
      const { buffer, start: from, end, base, stored, final } = windows;
      const whole = final ? end : characterEnd(buffer, from, end);
      const clean = isText(buffer.subarray(from, whole));
      sink.begin(base, stored - end, cutter);
      passed = cutter.cut(buffer, from, end, final, clean, sink);
      sink.release(passed);
      yield stream;
      if (final || sink.full) return;
    }
  } catch (error) {
    throw fileProblem(error, source.name, stream && cutter.line);
  } finally {
    await stream?.close();
  }
}

/**
 * Returns at most `bytes`, and less for a shorter file, because allocating unused memory would take longer than reading
 * a small file. The size of a compressed file's content is unknown.
 */
export function roomFor(
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
