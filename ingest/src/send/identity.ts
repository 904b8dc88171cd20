// Checks whether a file is the one a run started with. A run may only be resumed with the same bytes, because its
// batches are identified by their positions.
import { createHash } from 'node:crypto';
import { grouped } from '../../../formats/src/counts.ts';
import type { FileSource } from '../contract.ts';

const HEAD_BYTES = 64 * 1024;

export interface FileIdentity {
  readonly name: string;
  readonly path?: string;
  readonly size: number;
  /** Milliseconds since 1970; absent for a file that isn't on disk. */
  readonly modified?: number;
  /** SHA-256 of the first 64 KiB, or of all bytes if the modification time is unknown. */
  readonly hash: string;
}

/** Computes a file's identity. Rejects with a read error. */
export async function identify(file: FileSource): Promise<FileIdentity> {
  const hash = createHash('sha256');
  let remaining = file.modified === undefined ? Number.POSITIVE_INFINITY : HEAD_BYTES;
  const stream = file.open();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, remaining);
    hash.update(part);
    remaining -= part.length;
    if (remaining === 0) break;
  }
  stream.destroy();
  const { name, path, size, modified } = file;
  return {
    name,
    ...(path !== undefined && { path }),
    size,
    ...(modified !== undefined && { modified }),
    hash: hash.digest('hex'),
  };
}

/** Returns the reason a run can't be resumed with another file; undefined if the files are the same. */
export function describeChange(before: FileIdentity, now: FileIdentity): string | undefined {
  const size = (bytes: number) => `${grouped(bytes)} bytes`;
  const what =
    now.size !== before.size
      ? `it had ${size(before.size)} and now has ${size(now.size)}`
      : now.hash !== before.hash
        ? 'its content differs'
        : now.modified !== before.modified
          ? 'it was saved again'
          : undefined;
  if (what === undefined) return undefined;
  return `${before.name} has changed since the run started: ${what}. The run cannot be resumed. Ingest the file as a new run, or restore it.`;
}
