// The decompressed, decoded bytes of a file, read into a buffer of the caller, which is filled as far as the file
// goes: nothing is allocated for each chunk where the file is stored as it is read.
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileProblem, type FileSource } from '../contract.ts';
import type { Compression, Encoding } from '../settings.ts';
import { markLength, Utf16Decoder } from './encodings.ts';
import { fileProblem } from './problems.ts';
import { decompressZstd } from './zstdFrames.ts';

export interface ByteStream {
  /** Fills `buffer` from `at` and resolves with the number of bytes; less than there is room for at the end only. */
  fill(buffer: Buffer, at: number): Promise<number>;
  /** Bytes of the file as stored that have been read. */
  readonly stored: number;
  close(): Promise<void>;
}

export interface StoredAs {
  readonly compression: Compression;
  readonly encoding: Encoding;
}

/** Opens a file at an offset of its decoded bytes, those after the byte order mark. */
export async function openBytes(
  source: FileSource,
  { compression, encoding }: StoredAs,
  offset = 0,
): Promise<ByteStream> {
  if (compression === 'none' && encoding === 'utf-8' && source.path !== undefined) {
    return DiskBytes.open(source, source.path, offset);
  }
  const stream = new DecodedBytes(source, compression, encoding);
  try {
    await stream.pass(offset);
  } catch (error) {
    await stream.close();
    throw error;
  }
  return stream;
}

/** A file on a disk that is read as it is. */
class DiskBytes implements ByteStream {
  readonly #source: FileSource;
  readonly #file: FileHandle;
  #position: number;

  private constructor(source: FileSource, file: FileHandle, position: number) {
    this.#source = source;
    this.#file = file;
    this.#position = position;
  }

  static async open(source: FileSource, path: string, offset: number): Promise<DiskBytes> {
    let file: FileHandle;
    try {
      file = await open(path);
    } catch (error) {
      throw fileProblem(error, source.name);
    }
    try {
      await checkUnchanged(file, source);
      const head = Buffer.alloc(3);
      await file.read(head, 0, 3, 0);
      return new DiskBytes(source, file, markLength(head, 'utf-8') + offset);
    } catch (error) {
      await file.close();
      throw fileProblem(error, source.name);
    }
  }

  get stored(): number {
    return this.#position;
  }

  async fill(buffer: Buffer, at: number): Promise<number> {
    const room = Math.min(buffer.length - at, this.#source.size - this.#position);
    let filled = 0;
    try {
      while (filled < room) {
        const { bytesRead } = await this.#file.read(
          buffer,
          at + filled,
          room - filled,
          this.#position,
        );
        if (bytesRead === 0) throw new FileProblem(shrunk(this.#source.name));
        this.#position += bytesRead;
        filled += bytesRead;
        if (this.#position === this.#source.size) await checkUnchanged(this.#file, this.#source);
      }
    } catch (error) {
      throw fileProblem(error, this.#source.name);
    }
    return filled;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** What is appended to a file does not matter, since it is read as far as it went; other changes do. */
async function checkUnchanged(file: FileHandle, source: FileSource): Promise<void> {
  const { size, mtimeMs } = await file.stat();
  if (size < source.size) throw new FileProblem(shrunk(source.name));
  if (size > source.size || source.modified === undefined || mtimeMs === source.modified) return;
  throw new FileProblem(
    `${source.name} was changed while it was read. Ingest it again when nothing writes to it.`,
  );
}

function shrunk(name: string): string {
  return `${name} became shorter while it was read. Ingest it again when nothing writes to it.`;
}

/** Bytes that come in chunks: decompressed, decoded, or from another file system. */
class DecodedBytes implements ByteStream {
  readonly #name: string;
  readonly #stored: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #count = 0;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;
  /** Whether what may be a byte order mark has been passed over. */
  #marked = false;
  readonly #encoding: Encoding;
  readonly #decoder: Utf16Decoder | undefined;

  constructor(source: FileSource, compression: Compression, encoding: Encoding) {
    this.#name = source.name;
    this.#encoding = encoding;
    this.#decoder = encoding === 'utf-8' ? undefined : new Utf16Decoder(encoding);
    this.#stored = source.open();
    const chunks = counted(this.#stored, (bytes) => {
      this.#count += bytes;
    });
    this.#chunks = decompressed(chunks, compression);
  }

  get stored(): number {
    return this.#count;
  }

  async fill(buffer: Buffer, at: number): Promise<number> {
    let filled = 0;
    while (at + filled < buffer.length) {
      if (this.#rest.length === 0 && !(await this.#next())) break;
      const copied = this.#rest.copy(buffer, at + filled);
      this.#rest = this.#rest.subarray(copied);
      filled += copied;
    }
    return filled;
  }

  /** Passes over decoded bytes that have been read before. */
  async pass(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#next())) {
        throw new FileProblem(shrunk(this.#name));
      }
      const skipped = Math.min(left, this.#rest.length);
      this.#rest = this.#rest.subarray(skipped);
      left -= skipped;
    }
  }

  /** Gets a chunk that is not empty. */
  async #next(): Promise<boolean> {
    while (!this.#ended && this.#rest.length === 0) {
      let chunk = await this.#chunk();
      if (!this.#marked) {
        // The mark may come in pieces.
        while (chunk !== undefined && chunk.length < 3) {
          const more = await this.#chunk();
          if (more === undefined) break;
          chunk = Buffer.concat([chunk, more]);
        }
        this.#marked = true;
        chunk = chunk?.subarray(markLength(chunk, this.#encoding));
      }
      if (chunk === undefined) {
        this.#ended = true;
        this.#rest = this.#decoder?.end() ?? this.#rest;
      } else {
        this.#rest = this.#decoder?.push(chunk) ?? chunk;
      }
    }
    return this.#rest.length > 0;
  }

  async #chunk(): Promise<Buffer | undefined> {
    try {
      const next = await this.#chunks.next();
      return next.done ? undefined : next.value;
    } catch (error) {
      throw fileProblem(error, this.#name);
    }
  }

  async close(): Promise<void> {
    this.#stored.destroy();
    await this.#chunks.return?.().catch(() => {});
  }
}

function decompressed(
  chunks: AsyncGenerator<Buffer, void, void>,
  compression: Compression,
): AsyncIterator<Buffer> {
  switch (compression) {
    case 'none':
      return chunks;
    case 'zstd':
      return decompressZstd(chunks, UNPACKED_BYTES);
    case 'gzip': {
      const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES });
      // Whoever reads `gunzip` gets the error.
      pipeline(
        () => chunks,
        gunzip,
        () => {},
      );
      return gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    }
  }
}

const UNPACKED_BYTES = 256 * 1024;

async function* counted(
  stored: Readable,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of stored) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    count(bytes.length);
    yield bytes;
  }
}
