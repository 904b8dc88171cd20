/** Keeps the JSON of an answer's rows by part, in memory up to a limit and otherwise in a file of the spool folder. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readBytes } from '../duckdb/database/recovery.ts';

/** The size of an answer that stays in memory, in bytes. */
const MEMORY_MAX = 4 * 1_048_576;

const READ_BYTES = 1_048_576;

/** Bytes of the file, half-open. */
type Span = readonly [start: number, end: number];

export class AnswerRows {
  readonly #folder: string;
  /** The pieces in memory by part, and those in the file, which precede them. */
  readonly #pieces: Uint8Array[][];
  readonly #spans: Span[][];
  #inMemory = 0;
  #file: { readonly path: string; readonly handle: FileHandle } | undefined;
  #length = 0;

  constructor(folder: string, parts: number) {
    this.#folder = folder;
    this.#pieces = Array.from({ length: parts }, () => []);
    this.#spans = Array.from({ length: parts }, () => []);
  }

  async append(part: number, bytes: Uint8Array): Promise<void> {
    this.#pieces[part]!.push(bytes);
    this.#inMemory += bytes.length;
    if (this.#inMemory >= MEMORY_MAX) await this.#write();
  }

  async *read(part: number): AsyncGenerator<Uint8Array> {
    for (const [start, end] of this.#spans[part]!) {
      for (let at = start; at < end; at += READ_BYTES) {
        const length = Math.min(READ_BYTES, end - at);
        const bytes = await readBytes(this.#file!.handle, length, at);
        if (bytes.length < length)
          throw new Error('The file with the rows of an answer is cut off.');
        yield bytes;
      }
    }
    yield* this.#pieces[part]!;
  }

  async close(): Promise<void> {
    if (this.#file === undefined) return;
    const { path, handle } = this.#file;
    await handle.close();
    await unlink(path).catch(() => undefined);
  }

  async #write(): Promise<void> {
    this.#file ??= await createFile(this.#folder);
    for (const [part, pieces] of this.#pieces.entries()) {
      const bytes = Buffer.concat(pieces.splice(0));
      if (bytes.length === 0) continue;
      await writeAll(this.#file.handle, bytes, this.#length);
      this.#spans[part]!.push([this.#length, this.#length + bytes.length]);
      this.#length += bytes.length;
    }
    this.#inMemory = 0;
  }
}

async function createFile(folder: string) {
  const path = join(folder, `${randomUUID()}.answer`);
  const handle = await open(path, 'wx+', 0o600);
  // Remove the name, so that a crash leaves no file. Windows may refuse this while the file is open.
  await unlink(path).catch(() => undefined);
  return { path, handle };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
