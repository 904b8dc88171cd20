/**
 * The API as a function: a request in, a response out. It finds the endpoint, checks who asks and what
 * is asked by the endpoint's row, calls the handler, and turns errors into answers.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type EndpointKey,
  type EndpointRow,
  matchPath,
  parseQuery,
  RESPONSE_HEADERS,
} from '../../api/src/index.ts';
import { bodyPieces, packingOf, readJson } from './body.ts';
import { check } from './check.ts';
import { ApiError } from './errors.ts';
import { EventBody } from './eventBody.ts';
import {
  INGEST_BODY_BYTES_MAX,
  INGEST_BYTES_AT_ONCE,
  INGEST_REQUEST_BYTES_LEAST,
  JSON_BODY_BYTES_MAX,
  UNPACKED_TIMES,
} from './limits.ts';
import { type Call, type Handler, Reply } from './routes/handler.ts';
import { handlers } from './routes/handlers.ts';
import { EngineError } from './store/duckdb.ts';
import { Semaphore } from './store/gate.ts';
import type { Store } from './store/store.ts';
import { nowNanos } from './time.ts';

export interface AppOptions {
  readonly store: Store;
  readonly token: string;
  /** Told of errors that are nobody's fault outside; the text holds no secret and no event. */
  readonly log: (message: string) => void;
  /** Told when the database can no longer be used. */
  readonly fatal: () => void;
  /** Answers paths that are the process's own and no part of the service; undefined for others. */
  readonly own?: OwnPaths;
}

/** `now` is when the request came, in nanoseconds since 1970. What it throws is answered like any error. */
export type OwnPaths = (
  path: string,
  request: Request,
  now: bigint,
) => Promise<Response> | Response | undefined;

export type App = (request: Request) => Promise<Response>;

/** The API over a store. The returned function never throws. */
export function createApp(options: AppOptions): App {
  const ingesting = new Semaphore(INGEST_BYTES_AT_ONCE);
  return async (request) => {
    const trace = randomBytes(16).toString('hex');
    const headers = { [RESPONSE_HEADERS.trace]: trace };
    try {
      const answer = () => respond(request, options, headers);
      // Bodies of events lie in memory or in the spool, so only so much of them is read at once.
      return request.method === 'POST' && new URL(request.url).pathname.startsWith('/v1/ingest/')
        ? await ingesting.run(answer, request.signal, bodyWeight(request))
        : await answer();
    } catch (error) {
      const problem = asApiError(error, trace, request, options);
      return Response.json(problem, { status: problem.status, headers });
    }
  };
}

function isOfEvents(row: EndpointRow, contentType: string): boolean {
  return row.content === 'bytes' && contentType !== 'text/csv';
}

/** Lets the dataset know that events are on their way, for which others may wait a moment. */
async function arriving<T>(
  store: Store,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
  answer: () => Promise<T>,
): Promise<T> {
  const known = store.datasets.get(params['dataset_name'] ?? '')?.reading.arriving;
  known?.add(signal);
  try {
    return await answer();
  } finally {
    known?.delete(signal);
  }
}

/** The bytes that a body of events may come to in memory; the most it may have where that is not told. */
function bodyWeight(request: Request): number {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0) return INGEST_BODY_BYTES_MAX;
  const packed = packingOf(request.headers.get('content-encoding')) !== undefined;
  const unpacked = Math.min(length * (packed ? UNPACKED_TIMES : 1), INGEST_BODY_BYTES_MAX);
  return Math.max(unpacked, INGEST_REQUEST_BYTES_LEAST);
}

async function respond(
  request: Request,
  { store, token, own }: AppOptions,
  headers: Record<string, string>,
): Promise<Response> {
  const now = nowNanos();
  const url = new URL(request.url);
  checkHost(request, url);
  checkToken(request, token);
  const ownResponse = await own?.(url.pathname, request, now);
  if (ownResponse !== undefined) return ownResponse;
  const match = matchPath(request.method, url.pathname);
  if (match.kind === 'none') throw new ApiError('not-found', { path: url.pathname });
  if (match.kind === 'malformed') throw new ApiError('bad-path', { segment: match.segment });
  if (match.kind === 'method') {
    throw new ApiError('wrong-method', {
      path: url.pathname,
      method: request.method,
      allowed: match.allowed.join(', '),
    });
  }
  const { key, row, params } = match;
  const handler = handlers[key] as Handler<EndpointKey> | undefined;
  if (handler === undefined) throw new ApiError('not-supported', { endpoint: row.summary });
  const query = parseQuery(key, url.search);
  const requestHeaders = Object.fromEntries(
    Object.keys(row.headers.properties).flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  if (row.params !== undefined) check(row.params, params, 'the path');
  check(row.query, query, 'the query string');
  const contentType = mediaType(request);
  const { signal } = request;
  const answer = async () => {
    const body = await readRequestBody(request, row, contentType, store);
    const call = {
      store,
      params,
      query,
      headers: requestHeaders,
      body,
      contentType,
      now,
      signal,
    };
    try {
      return await handler(call as unknown as Call<EndpointKey>);
    } finally {
      if (body instanceof EventBody) await body.release();
    }
  };
  const result = await (isOfEvents(row, contentType)
    ? arriving(store, params, signal, answer)
    : answer());
  if (result instanceof Reply) {
    const { body: value } = result;
    const isText = value instanceof ReadableStream || value instanceof Uint8Array;
    const content = isText ? (value as ReadableStream<Uint8Array>) : JSON.stringify(value);
    return new Response(content, {
      status: result.status,
      headers: { ...headers, 'content-type': 'application/json', ...result.headers },
    });
  }
  const status = row.status[0]!;
  return result === undefined
    ? new Response(null, { status, headers })
    : Response.json(result, { status, headers });
}

// A page elsewhere can make a browser send requests here under a name of its own; it cannot make it
// send this address.
function checkHost(request: Request, url: URL): void {
  const host = request.headers.get('host') ?? url.host;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    throw new ApiError('wrong-host', { host: JSON.stringify(host.slice(0, 100)) });
  }
}

function checkToken(request: Request, token: string): void {
  const header = request.headers.get('authorization');
  const given = header === null ? null : /^Bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  if (given === null || given === undefined) throw new ApiError('no-token');
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw new ApiError('wrong-token');
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The types whose bodies have an event on each line; `application/json` may have, too. */
const LINE_TYPES: ReadonlySet<string> = new Set(['application/x-ndjson', 'application/nd-json']);

async function readRequestBody(
  request: Request,
  row: EndpointRow,
  contentType: string,
  { spool }: Store,
): Promise<unknown> {
  if (row.content === 'none') return undefined;
  if (row.content === 'bytes') {
    if (!row.contentTypes.includes(contentType)) {
      throw new ApiError('wrong-content-type', { type: JSON.stringify(contentType.slice(0, 100)) });
    }
    const encoding = request.headers.get('content-encoding');
    const pieces = bodyPieces(request, INGEST_BODY_BYTES_MAX, encoding);
    return EventBody.read(pieces, spool, LINE_TYPES.has(contentType));
  }
  const body = await readJson(request, JSON_BODY_BYTES_MAX);
  if (row.body !== undefined) check(row.body, body, 'the body');
  return body;
}

function asApiError(
  error: unknown,
  trace: string,
  request: Request,
  options: AppOptions,
): ApiError {
  if (error instanceof ApiError) return error;
  // Nobody reads the answer to a request that was given up.
  if (request.signal.aborted) return new ApiError('shutting-down');
  if (error instanceof EngineError) {
    if (error.kind === 'memory') return new ApiError('query-memory');
    if (error.kind === 'disk') return new ApiError('disk-trouble', { problem: error.message });
    if (error.kind === 'fatal') options.fatal();
  }
  options.log(
    `${trace}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return new ApiError('internal', { trace });
}
