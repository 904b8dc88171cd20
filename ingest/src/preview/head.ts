// Reads the first bytes of a file, decompressed and decoded, to recognize its format.
import { FileProblem, type FileSource } from '../contract.ts';
import { openBytes } from '../read/byteStream.ts';
import { compressionOf, encodingOf, Utf16Decoder } from '../read/encodings.ts';
import { HEAD_BYTES } from '../read/limits.ts';
import { fileProblem } from '../read/problems.ts';
import type { Compression, Encoding } from '../settings.ts';

export interface Head {
  readonly compression: Compression;
  readonly encoding: Encoding;
  /** The bytes in UTF-8, without the byte order mark. */
  readonly bytes: Buffer;
  /** Whether the bytes are the entire file. */
  readonly complete: boolean;
}

/** Reads the head. Rejects with a FileProblem if the file is empty or isn't text. */
export async function readHead(
  source: FileSource,
  chosen: { readonly compression?: Compression; readonly encoding?: Encoding },
): Promise<Head> {
  const compression = chosen.compression ?? compressionOf(await readFirst(source, 'none', 8));
  const raw = await readFirst(source, compression, HEAD_BYTES);
  const complete = raw.length < HEAD_BYTES;
  const encoding = chosen.encoding ?? encodingOf(raw);
  if (encoding === undefined) {
    throw new FileProblem(
      `${source.name} is not text: it contains zero bytes. Choose a text file, or one compressed with gzip or zstd.`,
    );
  }
  let bytes = raw;
  if (encoding !== 'utf-8') {
    const decoded = new Utf16Decoder(encoding).push(raw);
    const bomBytes = decoded.subarray(0, 3).equals(BOM) ? 3 : 0;
    bytes = decoded.subarray(bomBytes);
  }
  if (/^\s*$/.test(bytes.toString('utf8', 0, 64 * 1024)) && complete) {
    throw new FileProblem(`${source.name} is empty.`);
  }
  return { compression, encoding, bytes, complete };
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

async function readFirst(
  source: FileSource,
  compression: Compression,
  count: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(count);
  try {
    const stream = await openBytes(source, { compression, encoding: 'utf-8' });
    try {
      return buffer.subarray(0, await stream.fill(buffer, 0));
    } finally {
      await stream.close();
    }
  } catch (error) {
    throw fileProblem(error, source.name);
  }
}
