// Writes events that aren't stored to a file in their original format, ready to be fixed and sent again. Only its owner
// may read it.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ReadSettings } from '../settings.ts';

/** Returns the path for a run's failed events: in the folder, named after the file. */
export function failedFilePath(
  folder: string,
  file: string,
  { format, csv }: ReadSettings,
  id: string,
): string {
  const plain = basename(file).replace(/\.(gz|gzip|zst|zstd)$/i, '');
  const stem = basename(plain, extname(plain)).replace(/[^\w.-]+/g, '_') || 'events';
  const extension =
    format === 'csv'
      ? csv?.delimiter === '\t'
        ? 'tsv'
        : 'csv'
      : { json: 'json', ndjson: 'ndjson', logfmt: 'log', lines: 'log' }[format];
  return join(folder, `${stem}.failed-${id}.${extension}`);
}

/** The state of the file according to the journal. */
export interface FailedFileState {
  readonly bytes: number;
  /** CRC-32 of these bytes; absent if an earlier version of the extension wrote the journal. */
  readonly check?: number;
}

export class FailedFile {
  readonly path: string;
  readonly #readHead: () => Promise<string>;
  readonly #initialState: FailedFileState;
  #length: number;
  #check: number | undefined;
  #handle: FileHandle | undefined;

  /** `head` returns the file's first line, which CSV needs. */
  constructor(path: string, state: FailedFileState, head: () => Promise<string>) {
    this.path = path;
    this.#readHead = head;
    this.#initialState = state;
    this.#length = state.bytes;
    this.#check = state.bytes === 0 ? 0 : state.check;
  }

  /** The state to write to the journal. */
  get state(): FailedFileState {
    return {
      bytes: this.#length,
      ...(this.#check !== undefined && { check: this.#check }),
    };
  }

  /** Appends events with their original text. Rejects with a write error. */
  async append(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const handle = await this.#open();
    const head = this.#length === 0 ? await this.#readHead() : '';
    const lines = texts.map((text) => `${text.replace(/\r?\n$/, '')}\n`);
    const bytes = Buffer.from(`${head}${lines.join('')}`);
    await handle.write(bytes, 0, bytes.length, this.#length);
    this.#length += bytes.length;
    if (this.#check !== undefined) this.#check = crc32(bytes, this.#check);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    // The file may have been deleted since the run ended.
    const handle =
      this.#length === 0
        ? await open(this.path, 'w', 0o600)
        : await open(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#handle = handle;
    const { size } = await handle.stat();
    if (size > this.#length && (await this.#isUnchanged(handle))) {
      // After a crash, the file may have events of a record that was never written.
      await handle.truncate(this.#length);
    } else if (size !== this.#length) {
      // The user has fixed events in the file, so they are kept.
      this.#length = size;
      this.#check = size === 0 ? 0 : undefined;
    }
    return handle;
  }

  /** Returns whether the file still begins with the bytes recorded in the journal. */
  async #isUnchanged(handle: FileHandle): Promise<boolean> {
    const { bytes, check } = this.#initialState;
    if (check === undefined) return false;
    const part = Buffer.alloc(64 * 1024);
    let found = 0;
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await handle.read(part, 0, Math.min(part.length, bytes - at), at);
      if (bytesRead === 0) return false;
      found = crc32(part.subarray(0, bytesRead), found);
      at += bytesRead;
    }
    return found === check;
  }
}
