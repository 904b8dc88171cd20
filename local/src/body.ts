/** Reads the bodies of requests: unpacked, and never more than a limit. */
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ApiError } from './errors.ts';

// Bodies that come from a socket are read as they are: the way through a web stream costs a tenth of
// the time that a large ingest takes.
const sources = new WeakMap<Request, Readable>();

/** Gives a request, made without a body, the stream that its body comes from. */
export function withBody(request: Request, source: Readable): Request {
  sources.set(request, source);
  return request;
}

function bodyOf(request: Request): Readable | undefined {
  const source = sources.get(request);
  if (source !== undefined || request.body === null) return source;
  return Readable.fromWeb(request.body as NodeStream<Uint8Array>);
}

const UNPACKERS = { gzip: createGunzip, zstd: createZstdDecompress } as const;

/** How a body is packed by its Content-Encoding header, in lower case; undefined when it is not. */
export function packingOf(encoding: string | null | undefined): string | undefined {
  const packing = (encoding ?? '').trim().toLowerCase();
  return ['', '1', 'identity'].includes(packing) ? undefined : packing;
}

/**
 * The bytes of a body as they come. `encoding` is the Content-Encoding header; clients also send it empty,
 * or `1`, for a body that is not packed. Throws an ApiError when the body is too large or badly packed.
 */
export async function* bodyPieces(
  request: Request,
  limit: number,
  encoding?: string | null,
): AsyncGenerator<Buffer> {
  const stream = bodyOf(request);
  if (stream === undefined) return;
  const packing = packingOf(encoding);
  if (packing === undefined) {
    yield* within(stream, limit);
    return;
  }
  if (packing !== 'gzip' && packing !== 'zstd') {
    throw new ApiError('bad-encoding', { encoding: packing.slice(0, 40) });
  }
  const unpacked = UNPACKERS[packing]();
  stream.on('error', (error) => unpacked.destroy(error));
  stream.pipe(unpacked);
  try {
    yield* within(unpacked, limit);
  } catch (error) {
    if (request.signal.aborted || error instanceof ApiError) throw error;
    throw new ApiError('bad-packing', { encoding: packing });
  }
}

async function* within(stream: Readable, limit: number): AsyncGenerator<Buffer> {
  let length = 0;
  // The stream may be the socket, which the refusal has still to go out through.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limit) throw new ApiError('body-too-large', { limit });
    yield piece;
  }
}

/** The body as JSON. Throws an ApiError when it is empty or not JSON. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of bodyPieces(request, limit, request.headers.get('content-encoding')))
    pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length === 0) throw new ApiError('empty-body');
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new ApiError('bad-json', { problem: (error as Error).message });
  }
}
