/**
 * Parses the start of a database file and the log of DuckDB 1.5 to detect a damaged log. DuckDB itself ignores a log
 * with damaged first bytes. It also ignores an entry with a damaged length, and all entries after it.
 */

/** One constant header, and two that checkpoints overwrite alternately. */
export const HEADERS_BYTES = 3 * 4096;
const HEADER_BYTES = 4096;
const MAGIC_AT = 8;
const IDENTIFIER_AT = 124;
const IDENTIFIER_BYTES = 16;

export interface DatabaseHeader {
  /** The ID of the database, which its log also contains. */
  readonly identifier: Buffer;
  readonly iteration: number;
  readonly root: bigint;
  /** Identifies the last completed checkpoint. It consists of the database's identifier and the header's checksum. */
  readonly state: Buffer;
  readonly blockBytes: number;
}

export const blockOffset = (number: number, blockBytes: number) =>
  HEADERS_BYTES + number * blockBytes;

export function hasValidChecksum(block: Buffer): boolean {
  return block.length > 8 && checksum(block.subarray(8)) === block.readBigUInt64LE(0);
}

export function hasMagic(bytes: Buffer): boolean {
  return bytes.toString('latin1', MAGIC_AT, MAGIC_AT + 4) === 'DUCK';
}

export function parseHeaders(bytes: Buffer): DatabaseHeader | undefined {
  if (!hasMagic(bytes)) return undefined;
  const headers = [0, 1, 2].map((index) =>
    bytes.subarray(index * HEADER_BYTES, (index + 1) * HEADER_BYTES),
  );
  if (!headers.every(hasValidChecksum)) return undefined;
  const identifier = bytes.subarray(IDENTIFIER_AT, IDENTIFIER_AT + IDENTIFIER_BYTES);
  const [first, second] = headers.slice(1).map((header) => ({
    iteration: Number(header.readBigUInt64LE(8)),
    root: header.readBigUInt64LE(16),
    state: Buffer.concat([identifier, header.subarray(0, 8)]),
    blockBytes: Number(header.readBigUInt64LE(40)),
  }));
  const current = second!.iteration > first!.iteration ? second! : first!;
  return { identifier, ...current };
}

/** Reports whether a file that is shorter than the headers is an unfinished new database, not a truncated one. */
export function isPartialNewDatabase(bytes: Buffer): boolean {
  if (isZero(bytes)) return true;
  if (bytes.length < HEADER_BYTES || !hasMagic(bytes)) return false;
  // A header's iteration counts checkpoints, so iteration 0 means that the database is new.
  const first = bytes.subarray(HEADER_BYTES, HEADER_BYTES + 16);
  return first.length < 16 || first.readBigUInt64LE(8) === 0n;
}

/** Returns the first entry of the database's log after the checkpoint `iteration`. */
export function versionEntry(identifier: Buffer, iteration: number): Buffer {
  return Buffer.from([
    ...[...field(100), VERSION],
    ...[...field(101), LOG_VERSION],
    ...[...field(102), IDENTIFIER_BYTES, ...[...identifier].flatMap((byte) => varint(byte))],
    ...[...field(103), ...varint(iteration)],
    ...OBJECT_END,
  ]);
}

const field = (number: number) => [number, 0];
const OBJECT_END = [0xff, 0xff];
const LOG_VERSION = 2;
const VERSION = 98;
const CHECKPOINT = 99;
const COMMIT = 100;

/** The size of the length and checksum that precede every entry but the first. */
const ENTRY_HEAD_BYTES = 16;
const TYPE_AT = 2;
const ROOT_AT = 5;

/** A commit entry without its length: the checksum, followed by just the type `COMMIT`. */
const COMMIT_END = Buffer.from('e7fe7d722fed3d5e640064ffff', 'hex');

/** The log entry at the start of a checkpoint. `root` is the root block that the checkpoint is about to write. */
export interface CheckpointMarker {
  readonly start: number;
  readonly end: number;
  readonly root: bigint;
}

export interface LogEntries {
  readonly markers: readonly CheckpointMarker[];
  readonly committedEnd: number;
  /** The end offset of the last complete entry. A truncated entry, a damaged entry or zeros may follow. */
  readonly end: number;
  readonly damagedAt: number | undefined;
}

/**
 * Reads a log's entries from `start` on. A log that ends within an entry or with zeros isn't damaged, because the
 * process was killed during a transaction that was never confirmed to a client.
 */
export async function readEntries(log: Buffer, start: number): Promise<LogEntries> {
  const markers: CheckpointMarker[] = [];
  let committedEnd = start;
  let position = start;
  let pause = position + BYTES_BETWEEN_PAUSES;
  const result = (damagedAt?: number) => ({ markers, committedEnd, end: position, damagedAt });
  while (position < log.length) {
    const content = position + ENTRY_HEAD_BYTES;
    const length = content <= log.length ? Number(log.readBigUInt64LE(position)) : Infinity;
    if (content + length > log.length) {
      // If a complete transaction follows, the entry's length is damaged. Otherwise, the log ends within the entry.
      return result(log.indexOf(COMMIT_END, position) < 0 ? undefined : position);
    }
    const entry = log.subarray(content, content + length);
    if (checksum(entry) !== log.readBigUInt64LE(position + 8)) {
      return result(isZero(log.subarray(position)) ? undefined : position);
    }
    const end = content + length;
    const type = entry[TYPE_AT];
    if (type === CHECKPOINT) markers.push({ start: position, end, root: markedRoot(entry) });
    if (type === COMMIT) committedEnd = end;
    position = end;
    if (position > pause) {
      pause = position + BYTES_BETWEEN_PAUSES;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return result();
}

/** The number of bytes to process between pauses, which let the process handle other requests. */
const BYTES_BETWEEN_PAUSES = 8 * 1_048_576;

export function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** A marker omits the root block if it is 0. */
function markedRoot(entry: Buffer): bigint {
  return entry[ROOT_AT] === 100 ? readVarint(entry, ROOT_AT + 2) : 0n;
}

function readVarint(bytes: Buffer, start: number): bigint {
  let value = 0n;
  for (let at = start, shift = 0n; at < bytes.length; at += 1, shift += 7n) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return BigInt.asUintN(64, value);
}

/**
 * Returns DuckDB's checksum: the XOR of 5381 and all 64-bit words, each multiplied by a constant. Bytes after the last
 * full word add a hash.
 */
export function checksum(bytes: Buffer): bigint {
  const words = bytes.length >>> 3;
  let low = 5381;
  let high = 0;
  // Compute with 32-bit halves, because bigint multiplication takes fifty times as long.
  for (const piece of alignedWords(bytes.subarray(0, words * 8))) {
    for (let at = 0; at < piece.length; at += 2) {
      const a = piece[at]!;
      const a0 = a & 0xffff;
      const a1 = a >>> 16;
      const product = Math.imul(a0, FACTOR_0);
      const middle = (Math.imul(a1, FACTOR_0) + (product >>> 16)) >>> 0;
      const other = (Math.imul(a0, FACTOR_1) + (middle & 0xffff)) >>> 0;
      low ^= (other << 16) | (product & 0xffff);
      high ^=
        Math.imul(a1, FACTOR_1) +
        (middle >>> 16) +
        (other >>> 16) +
        Math.imul(a, FACTOR_HIGH) +
        Math.imul(piece[at + 1]!, FACTOR_LOW);
    }
  }
  const sum = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return bytes.length === words * 8 ? sum : sum ^ tailHash(bytes.subarray(words * 8));
}

const FACTOR_HIGH = 0xbf58476d;
const FACTOR_LOW = 0x1ce4e5b9;
const FACTOR_1 = FACTOR_LOW >>> 16;
const FACTOR_0 = FACTOR_LOW & 0xffff;

const scratch = new Uint32Array(65_536);
const scratchBytes = new Uint8Array(scratch.buffer);

/** Copies the bytes in pieces, because entries may be unaligned. */
function* alignedWords(bytes: Buffer): Generator<Uint32Array> {
  for (let start = 0; start < bytes.length; start += scratchBytes.length) {
    const piece = bytes.subarray(start, start + scratchBytes.length);
    scratchBytes.set(piece);
    yield scratch.subarray(0, piece.length / 4);
  }
}

/** Returns the MurmurHash64A of the last bytes, which don't fill a 64-bit word. */
function tailHash(bytes: Buffer): bigint {
  const word = (value: bigint) => BigInt.asUintN(64, value);
  let hash = 0xe17a1465n ^ word(BigInt(bytes.length) * MURMUR_FACTOR);
  let tail = 0n;
  for (const byte of bytes.toReversed()) tail = (tail << 8n) | BigInt(byte);
  hash = word((hash ^ tail) * MURMUR_FACTOR);
  hash = word((hash ^ (hash >> 47n)) * MURMUR_FACTOR);
  return hash ^ (hash >> 47n);
}

const MURMUR_FACTOR = 0xc6a4a7935bd1e995n;
