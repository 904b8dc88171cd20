// Reads NDJSON from a string.
import type { Batch, BatchReader, Position } from '../../../ingest/src/contract.ts';

const origin: Position = { batch: 0, events: 0, broken: 0, offset: 0, line: 1, stored: 0 };

export function lineReader(text: string, batchEvents: number): BatchReader {
  const lines = text.split('\n').slice(0, -1);
  const batchOf = (start: Position, without: ReadonlySet<number> = new Set()): Batch => {
    const all = lines.slice(start.events, start.events + batchEvents);
    const kept = all.filter((_, index) => !without.has(index));
    const body = Buffer.from(kept.map((line) => `${line}\n`).join(''));
    const bytes = all.reduce((sum, line) => sum + line.length + 1, 0);
    const keptPlaces = [...all.keys()].filter((index) => !without.has(index));
    return {
      body: new Uint8Array(body),
      bytes: body.length,
      contentEncoding: 'identity',
      contentType: 'application/x-ndjson',
      query: {},
      headers: {},
      events: kept.length,
      firstLine: start.line + (keptPlaces[0] ?? 0),
      lastLine: start.line + (keptPlaces.at(-1) ?? 0),
      broken: [],
      start,
      end: {
        batch: start.batch + 1,
        events: start.events + all.length,
        broken: 0,
        offset: start.offset + bytes,
        line: start.line + all.length,
        stored: start.stored + bytes,
      },
    };
  };
  return {
    async *batches(from = origin) {
      for (let at = from; at.events < lines.length; ) {
        const batch = batchOf(at);
        yield batch;
        at = batch.end;
      }
    },
    async events(start, end) {
      const all = lines.slice(start.events, end.events).map((line, index) => {
        const place = { index, line: start.line + index, lastLine: start.line + index, text: line };
        try {
          const { _time: time } = JSON.parse(line) as { _time?: string };
          return { ...place, ...(time !== undefined && { time }) };
        } catch {
          return { ...place, reason: 'It is not JSON.' };
        }
      });
      return {
        events: all.filter((event) => !('reason' in event)),
        broken: all.filter((event) => 'reason' in event),
      };
    },
    batchWithout: async (start, _end, indexes) => batchOf(start, indexes),
    fileHead: async () => '',
  };
}
