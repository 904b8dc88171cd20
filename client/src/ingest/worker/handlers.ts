// The methods that the worker provides.
import type { Batch, BatchReader, FileSource } from '../../../../ingest/src/contract.ts';
import { previewFile } from '../../../../ingest/src/preview/previewFile.ts';
import { checkFile } from '../../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../../ingest/src/read/reader.ts';
import { fileSource } from '../../../../ingest/src/read/sources.ts';
import { type Handlers, Transferred } from '../../rpc/server.ts';
import type { Methods, ReadTarget, Recycled, SourceAbout } from './protocol.ts';
import { sharedSource } from './sharedSource.ts';

/** The batch readers of active streams, by stream number. */
const readers = new Map<number, BatchReader>();

export const handlers: Handlers<Methods> = {
  async *batches({ stream, from, ...target }) {
    const reader = readerOf(target);
    readers.set(stream, reader);
    try {
      for await (const batch of reader.batches(from)) yield transferred(batch);
    } finally {
      readers.delete(stream);
    }
  },
  events: ({ start, end, ...target }) => readerOf(target).events(start, end),
  async batchWithout({ start, end, indexes, ...target }) {
    return transferred(await readerOf(target).batchWithout(start, end, indexes));
  },
  fileHead: (target) => readerOf(target).fileHead(),
  preview: ({ file, choices, target }, signal) =>
    previewFile(sourceOf(file), choices, target, signal),
  check: ({ file, settings }, signal, report) =>
    checkFile(sourceOf(file), settings, signal, report),
};

export const events = {
  recycle: ({ stream, body }: Recycled) => readers.get(stream)?.recycle?.(body),
};

function transferred(batch: Batch): Transferred<Batch> {
  return new Transferred(batch, [batch.body.buffer]);
}

function readerOf({ file, settings, limits }: ReadTarget): BatchReader {
  return batchReader(sourceOf(file), settings, limits);
}

function sourceOf(about: SourceAbout): FileSource {
  if ('path' in about) return fileSource(about);
  const { bytes, ...file } = about;
  return sharedSource(file, bytes);
}
