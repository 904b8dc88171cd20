// Files that an extension provides, which can only be read as a whole. They are read when needed rather than when
// listed, since a folder may have a thousand of them. The bytes of one file at a time are kept.
import { Readable } from 'node:stream';
import type { FileSource } from '../../../../ingest/src/contract.ts';
import { memorySource } from '../../../../ingest/src/read/sources.ts';
import { changedProblem } from '../sharedBytes.ts';

export interface WholeFile {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970, if known. */
  readonly modified?: number;
  read(): Promise<Uint8Array>;
}

/** The time after which a kept file is read again. */
const KEPT_MS = 60_000;

let kept: { readonly file: WholeFile; readonly bytes: Promise<Uint8Array> } | undefined;
let timer: NodeJS.Timeout | undefined;

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
  const bytes = await bytesOf(file);
  if (bytes.length !== size) throw changedProblem(name);
  yield* memorySource(name, bytes).open(from);
}

function bytesOf(file: WholeFile): Promise<Uint8Array> {
  if (kept?.file !== file) kept = { file, bytes: file.read() };
  const { bytes } = kept;
  const forget = () => {
    if (kept?.bytes === bytes) kept = undefined;
  };
  bytes.catch(forget);
  clearTimeout(timer);
  timer = setTimeout(forget, KEPT_MS);
  timer.unref();
  return bytes;
}
