// Shares the bytes of files without a path, such as unsaved documents, with the worker thread that reads files.
// Concurrent calls use one copy in shared memory. The last copy is cached for later calls.
import { FileProblem, type FileSource } from '../../../ingest/src/contract.ts';
import { KeptBytes } from './keptBytes.ts';
import type { SourceAbout } from './worker/protocol.ts';

/** The maximum size in bytes of a file without a path, because all of its bytes are in memory. */
const SHARED_BYTES_MAX = 256 * 1024 * 1024;

/** Throws a FileProblem if a file without a path is too large. */
export function assertShareable({ name, size }: Pick<FileSource, 'name' | 'size'>): void {
  if (size <= SHARED_BYTES_MAX) return;
  throw new FileProblem(
    `${name} exceeds 256 MB. Copy it to a local disk and ingest it from there.`,
  );
}

/** Returns the problem of a file whose length has changed since it was opened. */
export function changedProblem(name: string): FileProblem {
  return new FileProblem(`${name} has changed since it was opened. Open it for ingest again.`);
}

export class SharedBytes {
  /** The files in use, because several small files are sent at the same time. */
  readonly #files = new Map<FileSource, { readonly bytes: Promise<Uint8Array>; uses: number }>();
  readonly #kept = new KeptBytes<FileSource>(copyOf);

  /** Returns a file's description, which the worker can use until `release`. Rejects with a FileProblem. */
  async acquire(file: FileSource): Promise<SourceAbout> {
    const { name, path, size, modified } = file;
    const about = { name, size, ...(modified !== undefined && { modified }) };
    if (path !== undefined) return { ...about, path };
    const shared = this.#files.get(file) ?? { bytes: this.#kept.get(file), uses: 0 };
    this.#files.set(file, shared);
    shared.uses += 1;
    try {
      return { ...about, bytes: await shared.bytes };
    } catch (error) {
      this.release(file);
      throw error;
    }
  }

  release(file: FileSource): void {
    const shared = this.#files.get(file);
    if (shared === undefined) return;
    shared.uses -= 1;
    if (shared.uses === 0) this.#files.delete(file);
  }

  dispose(): void {
    this.#kept.clear();
  }
}

async function copyOf(file: FileSource): Promise<Uint8Array> {
  assertShareable(file);
  const bytes = new Uint8Array(new SharedArrayBuffer(file.size));
  let length = 0;
  for await (const chunk of file.open() as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > bytes.length) throw changedProblem(file.name);
    bytes.set(chunk, length);
    length += chunk.length;
  }
  if (length < bytes.length) throw changedProblem(file.name);
  return bytes;
}
