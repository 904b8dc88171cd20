// Files from another extension, which must be read in full. They are read on demand, because a folder may contain a
// thousand of them.
import { Readable } from 'node:stream';
import type { FileSource } from '../../../../ingest/src/contract.ts';
import { memorySource } from '../../../../ingest/src/read/sources.ts';
import { KeptBytes } from '../keptBytes.ts';
import { changedProblem } from '../sharedBytes.ts';

interface WholeFile extends Pick<FileSource, 'name' | 'size' | 'modified'> {
  read(): Promise<Uint8Array>;
}

const kept = new KeptBytes<WholeFile>((file) => file.read());

export function wholeFileSource(file: WholeFile): FileSource {
  const { name, size, modified } = file;
  return {
    name,
    size,
    ...(modified !== undefined && { modified }),
    open: (from = 0) => Readable.from(chunksOf(file, from), { objectMode: false }),
  };
}

async function* chunksOf(file: WholeFile, from: number): AsyncGenerator<Uint8Array, void, void> {
  const { name, size } = file;
  const bytes = await kept.get(file);
  if (bytes.length !== size) throw changedProblem(name);
  yield* memorySource(name, bytes).open(from);
}
