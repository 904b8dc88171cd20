/**
 * Reads and writes backup files. A backup is a tar archive, so that people can inspect it with standard tools. Its
 * first file is `manifest.json`, and its last is `checksums`, in the format of sha256sum.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** `content` is the file's bytes, or the path of a file that doesn't change during archiving. */
export interface Member {
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array | string;
}

const BLOCK_BYTES = 512;
const CHECKSUMS_FILE = 'checksums';
const HASH_LENGTH = 64;

export function archiveBytes(members: readonly Member[]): number {
  const sizes = [...members.map(({ bytes }) => bytes), checksumsBytes(members)];
  return sizes.reduce((sum, bytes) => sum + BLOCK_BYTES + padded(bytes), 0) + 2 * BLOCK_BYTES;
}

export async function* writeArchive(members: readonly Member[]): AsyncGenerator<Uint8Array> {
  let checksums = '';
  for (const { name, bytes, content } of members) {
    yield header(name, bytes);
    const hash = createHash('sha256');
    let written = 0;
    const chunks: AsyncIterable<Buffer> | Uint8Array[] =
      typeof content === 'string'
        ? createReadStream(content, { highWaterMark: CHUNK_BYTES })
        : [content];
    for await (const chunk of chunks) {
      hash.update(chunk);
      written += chunk.length;
      yield chunk;
    }
    if (written !== bytes) throw new Error(`${name} has changed while it was read.`);
    yield padding(bytes);
    checksums += checksumLine(hash.digest('hex'), name);
  }
  yield header(CHECKSUMS_FILE, checksums.length);
  yield Buffer.from(checksums);
  yield padding(checksums.length);
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

const CHUNK_BYTES = 1_048_576;

function checksumLine(hash: string, name: string): string {
  return `${hash}  ${name}\n`;
}

function checksumsBytes(members: readonly Member[]): number {
  return members.reduce((sum, { name }) => sum + checksumLine('', name).length + HASH_LENGTH, 0);
}

const padded = (bytes: number) => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
const padding = (bytes: number) => Buffer.alloc(padded(bytes) - bytes);

/** Offsets in a tar header (POSIX.1-1988 ustar). */
const HEADER_OFFSETS = {
  name: 0,
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
};
const MAGIC_AT = 257;

function header(name: string, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, HEADER_OFFSETS.name);
  block.write('0000600\0', HEADER_OFFSETS.mode);
  block.write('0000000\0', HEADER_OFFSETS.owner);
  block.write('0000000\0', HEADER_OFFSETS.group);
  writeSize(block, bytes);
  block.write(`${octal(Math.floor(Date.now() / 1_000), 11)}\0`, HEADER_OFFSETS.time);
  block.write('0', HEADER_OFFSETS.type);
  block.write('ustar\x0000', MAGIC_AT);
  block.write(`${octal(headerSum(block), 6)}\0 `, HEADER_OFFSETS.sum);
  return block;
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

/** Writes the size in octal or, from 8 GiB, as a binary number, like GNU tar. */
function writeSize(block: Buffer, bytes: number): void {
  if (bytes < 8 ** 11) {
    block.write(`${octal(bytes, 11)}\0`, HEADER_OFFSETS.size);
    return;
  }
  block[HEADER_OFFSETS.size] = 0x80;
  block.writeBigUInt64BE(BigInt(bytes), HEADER_OFFSETS.size + 4);
}

function readSize(block: Buffer): number {
  if (block[HEADER_OFFSETS.size] === 0x80)
    return Number(block.readBigUInt64BE(HEADER_OFFSETS.size + 4));
  return Number.parseInt(
    block.toString('latin1', HEADER_OFFSETS.size, HEADER_OFFSETS.size + 11),
    8,
  );
}

function headerSum(block: Buffer): number {
  return block.reduce(
    (sum, byte, at) => sum + (at >= HEADER_OFFSETS.sum && at < HEADER_OFFSETS.sum + 8 ? 32 : byte),
    0,
  );
}

/** The message is a clause about the file, such as `it is damaged`. */
export class ArchiveError extends Error {}

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  /** Yields the file's content, which must be read completely before the next file is requested. */
  readonly chunks: () => AsyncGenerator<Buffer>;
}

/**
 * Yields the files of an archive, whose names must be in `expectedNames`. Verifies the checksums at the end.
 * @throws ArchiveError if the file is not a complete, undamaged backup.
 */
export async function* readArchive(
  path: string,
  expectedNames: readonly string[],
): AsyncGenerator<ArchiveFile> {
  const file = await open(path);
  try {
    yield* readMembers(file, expectedNames);
  } finally {
    await file.close();
  }
}

async function* readMembers(
  file: FileHandle,
  expectedNames: readonly string[],
): AsyncGenerator<ArchiveFile> {
  let position = 0;
  let found = '';
  const next = async (length: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(bytes, 0, length, position);
    position += bytesRead;
    if (bytesRead < length) throw new ArchiveError('it is truncated');
    return bytes;
  };
  for (;;) {
    const block = await next(BLOCK_BYTES).catch((error: unknown) => {
      throw position < BLOCK_BYTES ? new ArchiveError('it is not a backup') : error;
    });
    const isFirst = position === BLOCK_BYTES;
    const sum = Number.parseInt(
      block.toString('latin1', HEADER_OFFSETS.sum, HEADER_OFFSETS.sum + 6),
      8,
    );
    const isHeader = block.toString('latin1', MAGIC_AT, MAGIC_AT + 5) === 'ustar';
    if (!isHeader && isFirst) throw new ArchiveError('it is not a backup');
    if (!isHeader || headerSum(block) !== sum) throw new ArchiveError('it is damaged');
    const name = block.toString('utf8', HEADER_OFFSETS.name, block.indexOf(0));
    const bytes = readSize(block);
    const isChecksums = name === CHECKSUMS_FILE;
    if (!expectedNames.includes(name) && !isChecksums) {
      throw new ArchiveError(isFirst ? 'it is not a backup' : `it contains ${name}`);
    }
    const hash = createHash('sha256');
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let remaining = bytes; remaining > 0; remaining -= CHUNK_BYTES) {
        const chunk = await next(Math.min(remaining, CHUNK_BYTES));
        hash.update(chunk);
        yield chunk;
      }
    }
    if (isChecksums) {
      if (bytes !== found.length || (await next(bytes)).toString() !== found) {
        throw new ArchiveError('it is damaged');
      }
      await next(padded(bytes) - bytes + 2 * BLOCK_BYTES);
      return;
    }
    const end = position + bytes;
    yield { name, bytes, chunks };
    if (position !== end) throw new Error(`${name} was not read.`);
    await next(padded(bytes) - bytes);
    found += checksumLine(hash.digest('hex'), name);
  }
}
