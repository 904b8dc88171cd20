// Shared by the tests for reading: settings, sources that return their bytes in pieces,
// reproducible random numbers, and the events of batches.
import { Readable } from 'node:stream';
import type { Batch, BatchLimits, FileSource, Position } from '../../ingest/src/contract.ts';
import { batchReader } from '../../ingest/src/read/reader.ts';
import type { CsvSettings, EventFormat, ReadSettings } from '../../ingest/src/settings.ts';

export function settingsOf(
  format: EventFormat,
  more: Partial<Omit<ReadSettings, 'csv'>> & { readonly csv?: Partial<CsvSettings> } = {},
): ReadSettings {
  const { csv, ...rest } = more;
  return {
    format,
    compression: 'none',
    encoding: 'utf-8',
    labels: {},
    broken: 'skip',
    ...(format === 'csv' && {
      csv: { delimiter: ',', header: true, names: [], types: {}, ...csv },
    }),
    ...rest,
  };
}

export type Next = (below: number) => number;

/** Returns integers from 0 to below a bound. The same seed gives the same numbers. */
export function random(seed: number): Next {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** Creates a source that returns its bytes in pieces. `size` returns the size of the next piece. */
export function piecesSource(
  name: string,
  content: string | Uint8Array,
  size: () => number,
): FileSource {
  const bytes = Buffer.from(content);
  return {
    name,
    size: bytes.length,
    open: (from = 0) => {
      function* pieces() {
        for (let at = from; at < bytes.length; ) {
          const length = Math.max(1, size());
          yield bytes.subarray(at, at + length);
          at += length;
        }
      }
      return Readable.from(pieces(), { objectMode: false });
    },
  };
}

export async function batchesOf(
  source: FileSource,
  settings: ReadSettings,
  limits?: BatchLimits,
  windowBytes?: number,
  from?: Position,
): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of batchReader(source, settings, limits, windowBytes).batches(from)) {
    batches.push(batch);
  }
  return batches;
}

/** Returns the JSON lines of a batch. */
export function linesOf({ body }: Pick<Batch, 'body'>): string[] {
  return Buffer.from(body)
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function eventsOf(batches: readonly Batch[]): unknown[] {
  return batches.flatMap(linesOf).map((line) => JSON.parse(line));
}

/**
 * Returns batches as comparable values, without the byte counts, which depend on the pieces read.
 */
export function comparable(batches: readonly Batch[]): unknown[] {
  const place = ({ stored, ...rest }: Position) => rest;
  return batches.map((batch) => ({
    ...batch,
    body: Buffer.from(batch.body).toString('latin1'),
    start: place(batch.start),
    end: place(batch.end),
  }));
}
