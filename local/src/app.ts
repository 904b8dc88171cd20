/**
 * The API as a function: a request in, a response out. It finds the endpoint, checks who asks and what
 * is asked by the endpoint's row, calls the handler, and turns errors into answers.
 */
import {
  type EndpointKey,
  type EndpointRow,
  matchPath,
  parseQuery,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  stringifyJson,
} from '../../api/src/index.ts';
import { type Caller, Callers, type OwnTokens } from './access/callers.ts';
import { Passage } from './access/gate.ts';
import { scopes } from './access/scopes.ts';
import { readJson } from './body.ts';
import { checked } from './check.ts';
import { routeOf } from './edges.ts';
import { errorResponse } from './errorForms.ts';
import { ApiError, newTrace } from './errors.ts';
import type { EventBody } from './eventBody.ts';
import { EventRequests } from './eventRequests.ts';
import { type HttpRequest, HttpResponse } from './http.ts';
import { type Landing, respondMember, respondVisitor } from './landing/landing.ts';
import { Allowances, checkQueries } from './license/allowances.ts';
import { BODY_PACE, type BodyPace, JSON_BODY_BYTES_MAX } from './limits.ts';
import { type Call, type Handler, Reply } from './routes/handler.ts';
import { handlers } from './routes/handlers.ts';
import { LOCAL_ORG_ID } from './routes/identity.ts';
import { EngineError } from './store/duckdb.ts';
import type { Store } from './store/store.ts';
import { nowNanos } from './time.ts';

export interface AppOptions extends OwnTokens {
  readonly store: Store;
  /** Told of errors that are nobody's fault outside; the text holds no secret and no event. */
  readonly log: (message: string) => void;
  /** Told when the database can no longer be used. */
  readonly fatal: () => void;
  /** Answers paths that are the process's own and no part of the service; undefined for others. */
  readonly own?: OwnPaths;
  /** The page at `/`; absent where there is none. */
  readonly landing?: Landing;
  /** How fast bodies must arrive. */
  readonly pace?: BodyPace;
}

/** `now` is when the request came, in nanoseconds since 1970. What it throws is answered like any error. */
export type OwnPaths = (
  path: string,
  request: HttpRequest,
  now: bigint,
) => Promise<HttpResponse> | HttpResponse | undefined;

export type App = (request: HttpRequest) => Promise<HttpResponse>;

/** The API over a store. The returned function never throws. */
export function createApp(options: AppOptions): App {
  const { store, pace } = options;
  const parts: Parts = {
    callers: new Callers(store.resources, options, options.landing?.sessions),
    allowances: new Allowances(store),
    events: new EventRequests(store, pace ?? BODY_PACE),
  };
  return async (request) => {
    const trace = newTrace();
    const headers = { [RESPONSE_HEADERS.trace]: trace };
    parts.allowances.tellRequests(headers);
    try {
      return await respond(request, options, parts, headers);
    } catch (error) {
      return errorResponse(asApiError(error, trace, request, options), headers, request);
    }
  };
}

/** What an app holds from one request to the next. */
interface Parts {
  readonly callers: Callers;
  readonly allowances: Allowances;
  readonly events: EventRequests;
}

async function respond(
  request: HttpRequest,
  { store, own, pace, landing }: AppOptions,
  { callers, allowances, events }: Parts,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  const now = nowNanos();
  const url = new URL(request.url);
  checkHost(request, url);
  const page = await respondVisitor(landing, request, url.pathname, pace);
  if (page !== undefined) return page;
  const caller = callers.identify(request.headers.get(REQUEST_HEADERS.authorization));
  const overview = await respondMember(store, caller, request, url.pathname);
  if (overview !== undefined) return overview;
  const ownResponse = await respondSelf(own, caller, url.pathname, request, now);
  if (ownResponse !== undefined) return ownResponse;
  const { path, edge } = routeOf(url.pathname);
  const match = matchPath(request.method, path);
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
  if (edge !== undefined && row.host !== 'edge') throw new ApiError('not-on-edge', { path });
  const scope = scopes[key];
  allowances.countRequest(headers);
  if (row.capability === 'query:read') allowances.tellQueries(headers);
  checkOrganization(request, caller);
  const passage = new Passage(store, key, row, caller);
  const handler = handlers[key] as Handler<EndpointKey> | undefined;
  if (handler === undefined) throw new ApiError('not-supported', { endpoint: row.summary });
  const query = parseQuery(key, url.search);
  const requestHeaders = Object.fromEntries(
    Object.keys(row.headers.properties).flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  if (row.params !== undefined) checked(row.params, params, 'the path');
  checked(row.query, query, 'the query string');
  checked(row.headers, requestHeaders, 'the headers');
  const asked = { params, query, headers: requestHeaders };
  passage.checkAddress(asked);
  if (scope.meters) allowances.checkIngest(headers);
  if (row.capability === 'query:read') checkQueries(store);
  const contentType = mediaType(request);
  const { signal } = request;
  const answer = (body: unknown) => {
    if (row.content === 'json') passage.checkBody({ ...asked, body });
    const { seen } = passage;
    const call = {
      ...{ store, caller, seen, params, query, headers: requestHeaders, body, contentType },
      ...{ edge, origin: originOf(request, url), now, signal },
    } as unknown as Call<EndpointKey>;
    const handle = () => store.queries.withRoom(async () => handler(call));
    if (!scope.meters) return allowances.create(scope.creates, handle);
    return allowances.ingest((body as EventBody).length, headers, handle);
  };
  const result = await (row.content === 'bytes'
    ? events.read(
        { request, row, contentType, dataset: scope.dataset?.name(asked) ?? '' },
        scope.converts === true,
        answer,
      )
    : answer(await readRequestBody(request, row, pace)));
  if (result instanceof Reply) {
    const { body: value } = result;
    const isText = value instanceof ReadableStream || value instanceof Uint8Array;
    const content = isText ? (value as ReadableStream<Uint8Array>) : stringifyJson(value);
    return new HttpResponse(content, {
      status: result.status,
      headers: { ...headers, ...JSON_TYPE, ...result.headers },
    });
  }
  const status = row.status[0]!;
  return result === undefined
    ? new HttpResponse(null, { status, headers })
    : new HttpResponse(stringifyJson(result), { status, headers: { ...headers, ...JSON_TYPE } });
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

// A page elsewhere can make a browser send requests here under a name of its own; it cannot make it
// send this address.
export function checkHost(request: HttpRequest, url: URL): void {
  const host = request.headers.get('host') ?? url.host;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    throw new ApiError('wrong-host', { host: JSON.stringify(host.slice(0, 100)) });
  }
}

/** The address as the client named it, such as `http://127.0.0.1:4000`. */
function originOf(request: HttpRequest, url: URL): string {
  return `http://${request.headers.get('host') ?? url.host}`;
}

/** Where the paths begin that are the process's own. */
const OWN_PATHS = '/_local/';

/** The answer to a path of the process's own, for whoever has the data folder; undefined for other paths. */
function respondSelf(
  own: OwnPaths | undefined,
  caller: Caller,
  path: string,
  request: HttpRequest,
  now: bigint,
) {
  if (!path.startsWith(OWN_PATHS)) return undefined;
  if (!caller.isOwner) throw new ApiError('owner-token-needed', { path });
  return own?.(path, request, now);
}

/** A personal token acts in the organisation that the request names, or in its own. */
function checkOrganization(request: HttpRequest, { kind }: Caller): void {
  const id = request.headers.get(REQUEST_HEADERS.organization);
  if (kind !== 'personal' || id === null || id === '' || id === LOCAL_ORG_ID) return;
  const shown = JSON.stringify(id.slice(0, 100));
  throw new ApiError('wrong-organization', { id: shown, expected: LOCAL_ORG_ID });
}

function mediaType(request: HttpRequest): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

async function readRequestBody(
  request: HttpRequest,
  row: EndpointRow,
  pace: BodyPace | undefined,
): Promise<unknown> {
  if (row.content === 'none') return undefined;
  const body = await readJson(request, JSON_BODY_BYTES_MAX, pace);
  return row.body === undefined ? body : checked(row.body, body, 'the body');
}

function asApiError(
  error: unknown,
  trace: string,
  request: HttpRequest,
  options: AppOptions,
): ApiError {
  if (error instanceof ApiError) return error;
  // Nobody reads the answer to a request that was given up.
  if (request.signal.aborted) return new ApiError('shutting-down');
  if (error instanceof EngineError) {
    if (error.kind === 'memory') return new ApiError('memory');
    if (error.kind === 'disk') {
      return new ApiError('disk-trouble', { problem: firstLine(error.message) });
    }
    if (error.kind === 'fatal') {
      options.log(`${trace}: ${error.message}`);
      options.fatal();
      return new ApiError('database-lost', { problem: firstLine(error.message) });
    }
  }
  // The disk is full, or somebody took the folder away.
  if (isSystemError(error)) return new ApiError('disk-trouble', { problem: error.message });
  options.log(
    `${trace}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return new ApiError('internal', { trace });
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!.replace(/\.$/, '');
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
