/**
 * Copies the metadata blocks that a checkpoint may rewrite, before the checkpoint begins. Restores torn blocks before
 * the database is opened.
 *
 * A checkpoint writes new metadata in place, to unused parts of the blocks with the current metadata. If power is lost
 * while only some pages of a block are on disk, the current header's metadata is intact, but the block's checksum is
 * wrong, so DuckDB rejects the database. The copy belongs to one header, and is synced before the checkpoint begins.
 * Only checkpoints write to these blocks, so a torn block can be restored from the copy while that header is the
 * current one. A torn copy is ignored, because its checkpoint never began.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../../../system/src/folderSync.ts';
import { blockOffset, HEADERS_BYTES, hasValidChecksum, parseHeaders } from './logFormat.ts';
import { readBytes } from './recovery.ts';

export const METADATA_COPY = '.metadata';

// The file contains the SHA-256 of the following bytes: a magic number, header state, block size and count, indexes,
// blocks.
const HASH_BYTES = 32;
const MAGIC = Buffer.from('APLmeta1');
const STATE_AT = HASH_BYTES + MAGIC.length;
const STATE_BYTES = 24;
const BLOCK_BYTES_AT = STATE_AT + STATE_BYTES;
const COUNT_AT = BLOCK_BYTES_AT + 4;
const HEAD_BYTES = COUNT_AT + 4;
const INDEX_BYTES = 8;

export class MetadataCopy {
  readonly #file: string;
  #database: FileHandle | undefined;
  #copy: FileHandle | undefined;
  #isFolderSynced = false;
  #saved: Buffer | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Durably copies the blocks listed by `readIndexes`. No checkpoint may be running. */
  async save(readIndexes: () => Promise<readonly number[]>): Promise<void> {
    // Keep the database file open, because closing it would release DuckDB's lock on it.
    this.#database ??= await open(this.#file).catch(unlessExclusive);
    if (this.#database === undefined) return;
    const header = parseHeaders(await readAt(this.#database, 0, HEADERS_BYTES));
    if (header === undefined) throw new Error('The headers of the database are damaged.');
    if (this.#saved?.equals(header.state) === true) return;
    this.#copy ??= await open(this.#file + METADATA_COPY, CREATE_FLAGS, 0o600);
    // Sync the folder even if the copy exists, because the process that created it may have been killed before syncing.
    if (!this.#isFolderSynced) await syncFolder(dirname(this.#file));
    this.#isFolderSynced = true;
    this.#saved = undefined;
    await this.#write(this.#database, this.#copy, header, await readIndexes());
    this.#saved = header.state;
  }

  async #write(
    database: FileHandle,
    copy: FileHandle,
    { state, blockBytes }: { readonly state: Buffer; readonly blockBytes: number },
    indexes: readonly number[],
  ): Promise<void> {
    const head = Buffer.alloc(HEAD_BYTES + indexes.length * INDEX_BYTES);
    MAGIC.copy(head, HASH_BYTES);
    state.copy(head, STATE_AT);
    head.writeUInt32LE(blockBytes, BLOCK_BYTES_AT);
    head.writeUInt32LE(indexes.length, COUNT_AT);
    for (const [i, index] of indexes.entries()) {
      head.writeBigUInt64LE(BigInt(index), HEAD_BYTES + i * INDEX_BYTES);
    }
    const hash = createHash('sha256').update(head.subarray(HASH_BYTES));
    let end = head.length;
    for (const index of indexes) {
      const block = await readAt(database, blockOffset(index, blockBytes), blockBytes);
      hash.update(block);
      await writeAt(copy, end, block);
      end += block.length;
    }
    hash.digest().copy(head);
    await writeAt(copy, 0, head);
    await copy.truncate(end);
    await copy.sync();
  }

  /** Closes the files once DuckDB has closed the database. Deletes the copy if a checkpoint made it unnecessary. */
  async close(isCheckpointed: boolean): Promise<void> {
    await Promise.all([this.#database?.close(), this.#copy?.close()]);
    if (isCheckpointed) await rm(this.#file + METADATA_COPY, { force: true });
  }
}

const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT;

/** Ignores that DuckDB has exclusive access to the file, as on Windows. No copy is made in that case. */
function unlessExclusive(error: NodeJS.ErrnoException): undefined {
  const isExclusive = ['EBUSY', 'EPERM', 'EACCES'].includes(error.code ?? '');
  if (process.platform !== 'win32' || !isExclusive) throw error;
}

/**
 * Restores torn metadata blocks before the database is opened. `refuseIfOpen` must throw if another process has the
 * database open, because that process may be writing a checkpoint.
 */
export async function restoreMetadata(
  file: string,
  refuseIfOpen: () => Promise<void>,
): Promise<void> {
  if (!restoreNow(file, false)) return;
  await refuseIfOpen();
  // Check again and restore synchronously, so that another process is unlikely to complete a checkpoint in between.
  restoreNow(file, true);
}

/** Returns whether there are torn blocks to restore. If `writes`, restores them. */
function restoreNow(file: string, writes: boolean): boolean {
  const copy = openExisting(file + METADATA_COPY, 'r');
  if (copy === undefined) return false;
  try {
    const database = openExisting(file, writes ? 'r+' : 'r');
    if (database === undefined) return false;
    try {
      const torn = tornBlocks(database, copy);
      if (!writes || torn.length === 0) return torn.length > 0;
      for (const { at, saved } of torn) writeSync(database, saved, 0, saved.length, at);
      fsyncSync(database);
      return true;
    } finally {
      closeSync(database);
    }
  } finally {
    closeSync(copy);
  }
}

/** Returns the torn blocks, or none if the copy is torn or belongs to another header. */
function tornBlocks(database: number, copy: number): { at: number; saved: Buffer }[] {
  const header = parseHeaders(bytesAt(database, 0, HEADERS_BYTES));
  const head = bytesAt(copy, 0, HEAD_BYTES);
  if (header === undefined || head.length < HEAD_BYTES) return [];
  const { state, blockBytes } = header;
  if (!head.subarray(HASH_BYTES, STATE_AT).equals(MAGIC)) return [];
  if (!head.subarray(STATE_AT, BLOCK_BYTES_AT).equals(state)) return [];
  if (head.readUInt32LE(BLOCK_BYTES_AT) !== blockBytes) return [];
  const length = HEAD_BYTES + head.readUInt32LE(COUNT_AT) * (INDEX_BYTES + blockBytes);
  if (fstatSync(copy).size !== length) return [];
  const end = fstatSync(database).size;
  const indexes = bytesAt(copy, HEAD_BYTES, head.readUInt32LE(COUNT_AT) * INDEX_BYTES);
  const hash = createHash('sha256').update(head.subarray(HASH_BYTES)).update(indexes);
  const torn: { at: number; saved: Buffer }[] = [];
  for (let i = 0; i * INDEX_BYTES < indexes.length; i += 1) {
    const saved = bytesAt(copy, HEAD_BYTES + indexes.length + i * blockBytes, blockBytes);
    hash.update(saved);
    const index = Number(indexes.readBigUInt64LE(i * INDEX_BYTES));
    const at = blockOffset(index, blockBytes);
    if (at + blockBytes > end) return [];
    const present = bytesAt(database, at, blockBytes);
    // Skip blocks with a valid checksum. They may differ from the copy, but only in parts that this header doesn't use.
    if (!present.equals(saved) && !hasValidChecksum(present)) torn.push({ at, saved });
  }
  return hash.digest().equals(head.subarray(0, HASH_BYTES)) ? torn : [];
}

function openExisting(path: string, flags: string): number | undefined {
  // Open only regular files, because opening a named pipe would wait for a writer.
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? openSync(path, flags)
    : undefined;
}

function bytesAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, at + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = await readBytes(handle, length, at);
  if (bytes.length < length) throw new Error('The database file is too short.');
  return bytes;
}

async function writeAt(handle: FileHandle, at: number, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const left = bytes.length - written;
    written += (await handle.write(bytes, written, left, at + written)).bytesWritten;
  }
}
