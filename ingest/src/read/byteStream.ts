// Reads a file's decompressed, decoded bytes into the caller's buffer. A file that needs neither is read without
// allocating per chunk.
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileProblem, type FileSource } from '../contract.ts';
import type { Compression, Encoding } from '../settings.ts';
import { bomLength, Utf16Decoder } from './encodings.ts';
import { fileProblem } from './problems.ts';
import { NEWLINE } from './split/splitter.ts';
import { decompressZstd } from './zstdFrames.ts';

export interface ByteStream {
  /** Fills `buffer` from `at`. Resolves with the number of bytes, which is less than the room only at the end. */
  fill(buffer: Buffer, at: number): Promise<number>;
  /** Stored bytes of the file read so far. */
  readonly stored: number;
  close(): Promise<void>;
}

export interface StoredFormat {
  readonly compression: Compression;
  readonly encoding: Encoding;
}

/** Opens a file at an offset of its decoded bytes, counted after any byte order mark. */
export async function openBytes(
  source: FileSource,
  { compression, encoding }: StoredFormat,
  offset = 0,
): Promise<ByteStream> {
  if (compression === 'none' && encoding === 'utf-8' && source.path !== undefined) {
    return DiskBytes.open(source, source.path, offset);
  }
  await checkUnchanged(source);
  const stream = new DecodedBytes(source, compression, encoding);
  try {
    await stream.advance(offset);
  } catch (error) {
    await stream.close();
    throw error;
  }
  return stream;
}

/** A file on disk that needs no decoding. */
class DiskBytes implements ByteStream {
  readonly #source: FileSource;
  readonly #file: FileHandle;
  #position: number;
  /** The end offset: the source's size, or the end of its last line if the file has grown. */
  #end: number;

  private constructor(source: FileSource, file: FileHandle, position: number) {
    this.#source = source;
    this.#file = file;
    this.#position = position;
    this.#end = source.size;
  }

  static async open(source: FileSource, path: string, offset: number): Promise<DiskBytes> {
    let file: FileHandle;
    try {
      file = await open(path);
    } catch (error) {
      throw fileProblem(error, source.name);
    }
    try {
      checkStats(await file.stat(), source);
      const head = Buffer.alloc(3);
      await file.read(head, 0, 3, 0);
      return new DiskBytes(source, file, bomLength(head, 'utf-8') + offset);
    } catch (error) {
      await file.close();
      throw fileProblem(error, source.name);
    }
  }

  get stored(): number {
    return this.#position;
  }

  async fill(buffer: Buffer, at: number): Promise<number> {
    let filled = 0;
    try {
      for (;;) {
        const room = Math.min(buffer.length - at - filled, this.#end - this.#position);
        if (room <= 0) break;
        const { bytesRead } = await this.#file.read(buffer, at + filled, room, this.#position);
        if (bytesRead === 0) throw new FileProblem(shrunkMessage(this.#source.name));
        this.#position += bytesRead;
        filled += bytesRead;
        if (this.#position === this.#source.size) await this.#checkEnd();
      }
    } catch (error) {
      throw fileProblem(error, this.#source.name);
    }
    return filled;
  }

  /** Includes the rest of the last line, which may have been incomplete when the size was taken. */
  async #checkEnd(): Promise<void> {
    const stats = await this.#file.stat();
    checkStats(stats, this.#source);
    const { size } = this.#source;
    if (stats.size === size) return;
    const part = Buffer.alloc(LINE_PART_BYTES);
    for (let from = size - 1; ; from += part.length) {
      const { bytesRead } = await this.#file.read(part, 0, part.length, from);
      const newline = part.subarray(0, bytesRead).indexOf(NEWLINE);
      if (newline < 0 && bytesRead === part.length) continue;
      this.#end = from + (newline < 0 ? bytesRead : newline + 1);
      return;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const LINE_PART_BYTES = 64 * 1024;

/** Checks a file on disk. A deleted file is not an error, because an open handle can still read it. */
async function checkUnchanged(source: FileSource): Promise<void> {
  if (source.path === undefined) return;
  const stats = await stat(source.path).catch(() => undefined);
  if (stats !== undefined) checkStats(stats, source);
}

/**
 * Throws if the file shrank or was rewritten. Appended bytes are allowed, because at most the rest of the last line is
 * read of them.
 */
function checkStats({ size, mtimeMs }: Stats, source: FileSource): void {
  if (size < source.size) throw new FileProblem(shrunkMessage(source.name));
  if (size > source.size || source.modified === undefined || mtimeMs === source.modified) return;
  throw new FileProblem(
    `${source.name} was changed while it was read. Ingest it again when nothing writes to it.`,
  );
}

function shrunkMessage(name: string): string {
  return `${name} became shorter while it was read. Ingest it again when nothing writes to it.`;
}

/** Bytes that arrive in chunks: decompressed, decoded, or from another file system. */
class DecodedBytes implements ByteStream {
  readonly #source: FileSource;
  readonly #stored: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #count = 0;
  #pending: Buffer = Buffer.alloc(0);
  #ended = false;
  /** Whether a possible byte order mark has been skipped. */
  #hasSkippedBom = false;
  readonly #compression: Compression;
  readonly #encoding: Encoding;
  readonly #decoder: Utf16Decoder | undefined;

  constructor(source: FileSource, compression: Compression, encoding: Encoding) {
    this.#source = source;
    this.#compression = compression;
    this.#encoding = encoding;
    this.#decoder = encoding === 'utf-8' ? undefined : new Utf16Decoder(encoding);
    this.#stored = source.open();
    const chunks = countBytes(this.#stored, (bytes) => {
      this.#count += bytes;
    });
    this.#chunks = decompress(chunks, compression);
  }

  get stored(): number {
    return this.#count;
  }

  async fill(buffer: Buffer, at: number): Promise<number> {
    let filled = 0;
    while (at + filled < buffer.length) {
      if (this.#pending.length === 0 && !(await this.#next())) break;
      const copied = this.#pending.copy(buffer, at + filled);
      this.#pending = this.#pending.subarray(copied);
      filled += copied;
    }
    return filled;
  }

  /** Skips decoded bytes that were read before. */
  async advance(bytes: number): Promise<void> {
    for (let remaining = bytes; remaining > 0; ) {
      if (this.#pending.length === 0 && !(await this.#next())) {
        throw new FileProblem(shrunkMessage(this.#source.name));
      }
      const skipped = Math.min(remaining, this.#pending.length);
      this.#pending = this.#pending.subarray(skipped);
      remaining -= skipped;
    }
  }

  /** Gets the next nonempty chunk. */
  async #next(): Promise<boolean> {
    while (!this.#ended && this.#pending.length === 0) {
      let chunk = await this.#chunk();
      if (!this.#hasSkippedBom) {
        // The byte order mark may be split across chunks.
        while (chunk !== undefined && chunk.length < 3) {
          const more = await this.#chunk();
          if (more === undefined) break;
          chunk = Buffer.concat([chunk, more]);
        }
        this.#hasSkippedBom = true;
        chunk = chunk?.subarray(bomLength(chunk, this.#encoding));
      }
      if (chunk === undefined) {
        this.#ended = true;
        this.#pending = this.#decoder?.end() ?? this.#pending;
      } else {
        this.#pending = this.#decoder?.push(chunk) ?? chunk;
      }
    }
    return this.#pending.length > 0;
  }

  async #chunk(): Promise<Buffer | undefined> {
    try {
      const next = await this.#chunks.next();
      if (!next.done) return next.value;
      await checkUnchanged(this.#source);
      // A decompressor may leave bytes after the last frame unread.
      if (this.#compression === 'none' && this.#count < this.#source.size) {
        throw new FileProblem(shrunkMessage(this.#source.name));
      }
      return undefined;
    } catch (error) {
      throw fileProblem(error, this.#source.name);
    }
  }

  async close(): Promise<void> {
    this.#stored.destroy();
    await this.#chunks.return?.().catch(() => {});
  }
}

function decompress(
  chunks: AsyncGenerator<Buffer, void, void>,
  compression: Compression,
): AsyncIterator<Buffer> {
  switch (compression) {
    case 'none':
      return chunks;
    case 'zstd':
      return decompressZstd(chunks, DECOMPRESSED_CHUNK_BYTES);
    case 'gzip': {
      const gunzip = createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES });
      // The reader of `gunzip` gets the error.
      pipeline(
        () => chunks,
        gunzip,
        () => {},
      );
      return gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    }
  }
}

const DECOMPRESSED_CHUNK_BYTES = 256 * 1024;

async function* countBytes(
  stored: Readable,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of stored) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    count(bytes.length);
    yield bytes;
  }
}
