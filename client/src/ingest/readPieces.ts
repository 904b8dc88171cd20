// From a file's bytes as they come to pieces: unpacks, skips the byte order mark, finds the format, splits.
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { CsvSplitter } from './csvSplitter.ts';
import { type FileFormat, formatOf, markLength, packingOf } from './format.ts';
import { JsonSplitter } from './jsonSplitter.ts';
import { NdjsonSplitter } from './ndjsonSplitter.ts';
import { FileProblem, type Piece, type PieceLimits, type Splitter } from './piece.ts';

/** A file that can be read from its start, more than once. */
export interface FileSource {
  readonly name: string;
  /** Bytes as stored, packed or not. */
  readonly size: number;
  open(): Readable;
}

export interface ReadPiece extends Piece {
  readonly format: FileFormat;
  /** Bytes of the file, as stored, that have been read when the piece was complete. */
  readonly read: number;
}

const HEAD_BYTES = 64 * 1024;

/**
 * The pieces of a file, in order. Of an array that does not end nothing is given, since it is one
 * document: it is read once for its structure first. Throws a FileProblem, or an error of reading.
 */
export async function* readPieces(
  file: FileSource,
  limits: PieceLimits,
): AsyncGenerator<ReadPiece, void, void> {
  const format = await detect(file);
  if (format.format === 'json') await checkStructure(file, limits);
  let events = 0;
  for await (const piece of split(file, format, limits)) {
    events += piece.events;
    yield piece;
  }
  if (events > 0) return;
  throw new FileProblem(
    format.format === 'csv' ? 'The file has a header line and no rows.' : 'The file has no events.',
  );
}

async function detect(file: FileSource): Promise<FileFormat> {
  const head: Buffer[] = [];
  let length = 0;
  for await (const { chunk } of unpacked(file)) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return formatOf(file.name, Buffer.concat(head).subarray(0, HEAD_BYTES));
}

async function checkStructure(file: FileSource, limits: PieceLimits): Promise<void> {
  const splitter = new JsonSplitter(limits);
  for await (const { chunk } of unpacked(file)) splitter.push(chunk);
  splitter.end();
}

async function* split(
  file: FileSource,
  format: FileFormat,
  limits: PieceLimits,
): AsyncGenerator<ReadPiece, void, void> {
  const splitter = splitterFor(format, limits);
  let first = true;
  let last = 0;
  for await (const { chunk, read } of unpacked(file)) {
    const bytes = first ? chunk.subarray(markLength(chunk)) : chunk;
    first = false;
    last = read;
    for (const piece of splitter.push(bytes)) yield { ...piece, format, read };
  }
  for (const piece of splitter.end()) yield { ...piece, format, read: last };
}

function splitterFor({ format, delimiter }: FileFormat, limits: PieceLimits): Splitter {
  switch (format) {
    case 'ndjson':
      return new NdjsonSplitter(limits);
    case 'json':
      return new JsonSplitter(limits);
    case 'csv':
      return new CsvSplitter(limits, delimiter);
  }
}

/** The file's bytes, unpacked, each chunk with how much of the stored file had been read by then. */
async function* unpacked(
  file: FileSource,
): AsyncGenerator<{ readonly chunk: Buffer; readonly read: number }, void, void> {
  const stored = file.open();
  let read = 0;
  try {
    const source = stored[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await source.next();
    if (first.done) return;
    const counted = async function* (): AsyncGenerator<Buffer, void, void> {
      for (let next: IteratorResult<Buffer> = first; !next.done; next = await source.next()) {
        read += next.value.length;
        yield next.value;
      }
    };
    const packing = packingOf(first.value);
    if (packing === undefined) {
      for await (const chunk of counted()) yield { chunk, read };
      return;
    }
    const unpacker = packing === 'gzip' ? createGunzip() : createZstdDecompress();
    const out = new PassThrough();
    // A failure on the way destroys the stream that the loop below reads, which throws it there.
    const done = pipeline(counted, unpacker, out).catch(() => {});
    try {
      for await (const chunk of out) yield { chunk: chunk as Buffer, read };
    } catch (error) {
      throw packed(error as Error);
    } finally {
      out.destroy();
      await done;
    }
  } finally {
    stored.destroy();
  }
}

function packed(error: Error): Error {
  const { code } = error as { code?: string };
  if (!code?.startsWith('Z') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error;
  return new FileProblem('The compressed file is damaged or incomplete. Compress it again.');
}
