/**
 * Handles `POST /_local/export`, which isn't in the service's API: exports all rows of a query as a Parquet or NDJSON
 * file. The engine writes the file, so JavaScript's memory doesn't grow with the rows.
 */
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EdgeQueryRequest } from '../../../api/src/index.ts';
import { exportFormats, isExportFormat } from '../answers/exportFormats.ts';
import { readJson } from '../body.ts';
import { checked } from '../check.ts';
import { ApiError } from '../errors.ts';
import { type HttpRequest, HttpResponse } from '../http.ts';
import { JSON_BODY_BYTES_MAX } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { formatNanos, TIME_END, TIME_MIN } from '../time.ts';
import { planCall } from './queryCall.ts';

/** The default time range contains every time that can be stored. */
const FIRST_TIME = formatNanos(TIME_MIN);
const LAST_TIME = formatNanos(TIME_END);

let count = 0;

/** Exports the rows of the request's query. Throws an ApiError if the query is rejected. */
export async function answerExport(
  request: HttpRequest,
  store: Store,
  now: bigint,
): Promise<HttpResponse> {
  const { answers } = store;
  if (answers.export === undefined) throw new ApiError('export-unsupported');
  const sent = await readJson(request, JSON_BODY_BYTES_MAX);
  const { format = '', ...given } = sent as EdgeQueryRequest & { readonly format?: string };
  if (!isExportFormat(format)) {
    throw new ApiError('bad-request', { problems: 'format must be parquet or ndjson' });
  }
  const { signal } = request;
  const body = {
    startTime: FIRST_TIME,
    endTime: LAST_TIME,
    ...checked(EdgeQueryRequest, given, 'the body'),
    defaultLimit: Number.MAX_SAFE_INTEGER,
  };
  const { origin } = new URL(request.url);
  count += 1;
  const path = join(store.spool.folder, `export-${count}`);
  const release = () => rm(path, { force: true });
  try {
    await planCall({ store, origin, body, now, signal }, ({ plan }) =>
      answers.export!(plan, format, path, signal),
    );
    const { size } = await stat(path);
    const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES }).once('close', release);
    // Delete the file even if the response is never read.
    signal.addEventListener('abort', () => chunks.destroy(), { once: true });
    return new HttpResponse(ReadableStream.from(chunks) as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': exportFormats[format],
        'content-length': String(size),
      },
    });
  } catch (error) {
    await release();
    throw error;
  }
}

const CHUNK_BYTES = 1_048_576;
