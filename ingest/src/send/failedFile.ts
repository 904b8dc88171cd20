// The file with the events that are not stored, in the format of the file that they come from, ready to be fixed
// and sent again. Only its owner may read it.
import { type FileHandle, open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { ReadSettings } from '../settings.ts';

/** Where the failed events of a run go: in the folder, named after the file. */
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

export class FailedFile {
  readonly path: string;
  readonly #head: () => Promise<string>;
  #length: number;
  #handle: FileHandle | undefined;

  /** `length` is what the journal knows of it; `head` gives its first line, which CSV needs. */
  constructor(path: string, length: number, head: () => Promise<string>) {
    this.path = path;
    this.#length = length;
    this.#head = head;
  }

  /** Bytes of the file. */
  get length(): number {
    return this.#length;
  }

  /** Appends events as they are in the file that they come from. Rejects with the error of writing. */
  async append(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const handle = await this.#opened();
    const head = this.#length === 0 ? await this.#head() : '';
    const lines = texts.map((text) => `${text.replace(/\r?\n$/, '')}\n`);
    const bytes = Buffer.from(`${head}${lines.join('')}`);
    await handle.write(bytes, 0, bytes.length, this.#length);
    this.#length += bytes.length;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    const flags = this.#length === 0 ? 'w' : 'r+';
    const handle = await open(this.path, flags, 0o600);
    this.#handle = handle;
    // A crash may have left events of a record that was never written.
    await handle.truncate(this.#length);
    return handle;
  }
}
