/** Reads and decompresses request bodies. Enforces a maximum size and a minimum speed. */
import { Readable, type Transform } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { parseJson } from '../../api/src/index.ts';
import { createDeflateDecompressor, createZstdDecompressor } from './decompressors.ts';
import { ApiError } from './errors.ts';
import type { HttpRequest } from './http.ts';
import { isDeeper } from './jsonDepth.ts';
import { BODY_PACE, type BodyPace, JSON_DEPTH_MAX } from './limits.ts';

function bodyOf(request: HttpRequest): Readable | undefined {
  if (request.source !== undefined) return request.source();
  if (request.body === null) return undefined;
  return Readable.fromWeb(request.body as NodeStream<Uint8Array>);
}

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['zstd', createZstdDecompressor],
  ['deflate', createDeflateDecompressor],
]);

function compressionOf(encoding: string | null | undefined): string | undefined {
  const compression = (encoding ?? '').trim().toLowerCase();
  return ['', '1', 'identity'].includes(compression) ? undefined : compression;
}

/**
 * Yields the decompressed bytes of a body as they arrive. Some clients send an empty Content-Encoding header, or `1`,
 * for an uncompressed body. Throws an ApiError if the body is too large, too slow or damaged, or has an unsupported
 * compression.
 */
export function bodyPieces(
  request: HttpRequest,
  limit: number,
  pace: BodyPace = BODY_PACE,
): AsyncGenerator<Buffer> {
  const compression = compressionOf(request.headers.get('content-encoding'));
  return compression === undefined
    ? readPieces(bodyOf(request) ?? Readable.from([]), limit, pace)
    : decompressedPieces(request, compression, limit, pace);
}

async function* decompressedPieces(
  request: HttpRequest,
  compression: string,
  limit: number,
  pace: BodyPace,
): AsyncGenerator<Buffer> {
  const createDecompressor = DECOMPRESSORS.get(compression);
  if (createDecompressor === undefined) {
    throw new ApiError('bad-encoding', { encoding: compression.slice(0, 40) });
  }
  const stream = bodyOf(request);
  if (stream === undefined) return;
  const decompressed = createDecompressor();
  const fail = (error: Error) => decompressed.destroy(error);
  stream.on('error', fail);
  stream.pipe(decompressed);
  try {
    yield* readPieces(decompressed, limit, pace);
  } catch (error) {
    if (request.signal.aborted || error instanceof ApiError) throw error;
    throw new ApiError('bad-packing', { encoding: compression });
  } finally {
    // Allow `drainBody` to read the rest of the body.
    stream.unpipe(decompressed);
    stream.off('error', fail);
    decompressed.destroy();
  }
}

// Don't split this generator in two: passing a chunk through another generator takes as long as scanning the chunk.
async function* readPieces(
  stream: Readable,
  limit: number,
  pace: BodyPace,
): AsyncGenerator<Buffer> {
  // The stream may be the socket, over which the error response must be sent.
  const pieces: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  let refuse: ((error: ApiError) => void) | undefined;
  const timer = setTimeout(
    () => refuse?.(tooSlow(`nothing of it arrived for ${pace.stallMs / 1_000} seconds`)),
    pace.stallMs,
  );
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      refuse = reject;
      pieces.next().then(resolve, reject);
    });
  let length = 0;
  let waitedMs = 0;
  let windowBytes = 0;
  try {
    for (;;) {
      const since = performance.now();
      timer.refresh();
      const result = await next();
      refuse = undefined;
      if (result.done === true) return;
      const piece = result.value;
      length += piece.length;
      if (length > limit) throw new ApiError('body-too-large', { limit });
      windowBytes += piece.length;
      waitedMs += performance.now() - since;
      if (waitedMs >= pace.windowMs) {
        if (windowBytes < pace.windowBytes) {
          const seconds = Math.round(waitedMs / 1_000);
          throw tooSlow(`only ${windowBytes} bytes of it arrived in ${seconds} seconds`);
        }
        waitedMs = 0;
        windowBytes = 0;
      }
      yield piece;
    }
  } finally {
    clearTimeout(timer);
    // Don't wait for the iterator's end: a stalled stream would block it.
    void pieces.return?.()?.catch(() => undefined);
  }
}

function tooSlow(problem: string): ApiError {
  return new ApiError('body-too-slow', { problem });
}

/** Smaller chunks are joined, because each separate chunk has an overhead of some hundred bytes. */
const SMALL_BYTES_MAX = 4_096;
const JOINED_BYTES_MAX = 64 * 1_024;

export class Pieces {
  #list: Buffer[] = [];
  #bytes = 0;
  /** The buffer in which small chunks are joined. */
  #block: Buffer | undefined;

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const last = this.#list.at(-1);
    const joins =
      last !== undefined &&
      piece.length < SMALL_BYTES_MAX &&
      (this.#block !== undefined || last.length < SMALL_BYTES_MAX) &&
      last.length + piece.length <= JOINED_BYTES_MAX;
    if (!joins) {
      this.#list.push(piece);
      this.#block = undefined;
      return;
    }
    if (this.#block === undefined) {
      this.#block = Buffer.allocUnsafeSlow(JOINED_BYTES_MAX);
      last.copy(this.#block);
    }
    piece.copy(this.#block, last.length);
    this.#list[this.#list.length - 1] = this.#block.subarray(0, last.length + piece.length);
  }

  take(): Buffer[] {
    const list = this.#list;
    this.#list = [];
    this.#bytes = 0;
    this.#block = undefined;
    return list;
  }
}

/** Parses a body as JSON. Integers beyond 2^53 become bigint. Throws an ApiError if the JSON is invalid or too deep. */
export async function readJson(
  request: HttpRequest,
  limit: number,
  pace: BodyPace = BODY_PACE,
): Promise<unknown> {
  const pieces = new Pieces();
  for await (const piece of bodyPieces(request, limit, pace)) pieces.add(piece);
  const bytes = Buffer.concat(pieces.take());
  if (bytes.length === 0) throw new ApiError('empty-body');
  if (isDeeper(bytes, JSON_DEPTH_MAX)) {
    throw new ApiError('json-too-deep', { what: 'The body', limit: JSON_DEPTH_MAX });
  }
  const text = bytes.toString();
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new ApiError('bad-json', { problem: (error as Error).message });
  }
  return SURROGATE_ESCAPE.test(text) ? wellFormed(value) : value;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Replaces lone surrogates in all strings with U+FFFD, because UTF-8 can't encode them. The caller must have limited
 * the nesting depth.
 */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}
