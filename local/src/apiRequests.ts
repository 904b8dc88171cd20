/** Handles API requests: finds the endpoint's definition, checks the request and its caller, and calls the handler. */
import {
  type EndpointKey,
  type EndpointRow,
  matchPath,
  type PathMatch,
  parseQuery,
  REQUEST_HEADERS,
  stringifyJson,
} from '../../api/src/index.ts';
import type { Caller } from './access/callers.ts';
import { AccessCheck } from './access/gate.ts';
import { datasetName } from './access/scopes.ts';
import { readJson } from './body.ts';
import { checked } from './check.ts';
import { originOf, routeOf } from './edges.ts';
import { ApiError } from './errors.ts';
import type { EventBody } from './eventBody.ts';
import type { EventRequests } from './eventRequests.ts';
import { type HttpRequest, HttpResponse } from './http.ts';
import { type Allowances, checkQueries } from './license/allowances.ts';
import { type BodyPace, JSON_BODY_BYTES_MAX } from './limits.ts';
import { type Call, type Handler, Reply } from './routes/handler.ts';
import { handlers } from './routes/handlers.ts';
import { LOCAL_ORG_ID } from './routes/identity.ts';
import type { Store } from './store/store.ts';

export interface ApiParts {
  readonly store: Store;
  readonly allowances: Allowances;
  readonly events: EventRequests;
  readonly pace: BodyPace | undefined;
}

export interface ApiRequest {
  readonly request: HttpRequest;
  readonly url: URL;
  readonly caller: Caller;
  /** Headers of the response. The rate limits are added to these headers. */
  readonly headers: Record<string, string>;
  /** Arrival time of the request, in nanoseconds since 1970. */
  readonly now: bigint;
}

/** Calls the handler of the request's endpoint. Throws an ApiError if the request is rejected. */
export async function respondApi(
  { store, allowances, events, pace }: ApiParts,
  { request, url, caller, headers, now }: ApiRequest,
): Promise<HttpResponse> {
  const { key, row, params, edge } = endpointOf(request.method, url.pathname);
  const { scope } = row;
  const isQuery = row.capability === 'query:read';
  allowances.countRequest(headers);
  if (isQuery) allowances.addQueryHeaders(headers);
  checkOrganization(request, caller);
  const access = new AccessCheck(store, row, caller);
  const handler = handlers[key] as Handler<EndpointKey>;
  const parts = requestParts(request, url, { key, row, params });
  access.checkTarget(parts);
  if (scope.meters) allowances.checkIngest(headers);
  if (isQuery) checkQueries(store);
  const contentType = mediaType(request);
  const answer = (body: unknown) => {
    if (row.content === 'json') access.checkBody({ ...parts, body });
    const { visible } = access;
    const { signal } = request;
    const origin = originOf(request, url);
    const call = {
      ...{ store, caller, visible, ...parts, body, contentType },
      ...{ edge, origin, now, signal },
    } as unknown as Call<EndpointKey>;
    const handle = () => store.queries.withMemory(async () => handler(call));
    if (!scope.meters) return allowances.create(scope.creates, handle);
    return allowances.ingest((body as EventBody).length, headers, handle);
  };
  const result = await (row.content === 'bytes'
    ? events.read(
        { request, row, contentType, dataset: datasetName(scope, parts) },
        scope.converts === true,
        answer,
      )
    : answer(await readRequestBody(request, row, pace)));
  return responseOf(result, row.status[0]!, headers);
}

function endpointOf(method: string, pathname: string) {
  const { path, edge } = routeOf(pathname);
  const match: PathMatch = matchPath(method, path);
  switch (match.kind) {
    case 'none':
      throw new ApiError('not-found', { path: pathname });
    case 'malformed':
      throw new ApiError('bad-path', { segment: match.segment });
    case 'method': {
      const allowed = match.allowed.join(', ');
      throw new ApiError('wrong-method', { path: pathname, method, allowed });
    }
    default:
      if (edge !== undefined && match.row.host !== 'edge')
        throw new ApiError('not-on-edge', { path });
      return { ...match, edge };
  }
}

interface Matched {
  readonly key: EndpointKey;
  readonly row: EndpointRow;
  readonly params: Readonly<Record<string, string>>;
}

function requestParts(request: HttpRequest, url: URL, { key, row, params }: Matched) {
  const query = parseQuery(key, url.search);
  const headers = Object.fromEntries(
    Object.keys(row.headers.properties).flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  if (row.params !== undefined) checked(row.params, params, 'the path');
  checked(row.query, query, 'the query string');
  checked(row.headers, headers, 'the headers');
  return { params, query, headers };
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

function responseOf(result: unknown, status: number, headers: Readonly<Record<string, string>>) {
  if (result === undefined) return new HttpResponse(null, { status, headers });
  const jsonHeaders = { ...headers, ...JSON_TYPE };
  if (!(result instanceof Reply))
    return new HttpResponse(stringifyJson(result), { status, headers: jsonHeaders });
  const { body } = result;
  const isText = body instanceof ReadableStream || body instanceof Uint8Array;
  return new HttpResponse(isText ? (body as ReadableStream<Uint8Array>) : stringifyJson(body), {
    status: result.status,
    headers: { ...jsonHeaders, ...result.headers },
  });
}

/** Throws an ApiError if a personal token is used with the ID of another organization than this deployment's. */
function checkOrganization(request: HttpRequest, { kind }: Caller): void {
  const id = request.headers.get(REQUEST_HEADERS.organization);
  if (kind !== 'personal' || id === null || id === '' || id === LOCAL_ORG_ID) return;
  const shown = JSON.stringify(id.slice(0, 100));
  throw new ApiError('wrong-organization', { id: shown, expected: LOCAL_ORG_ID });
}

function mediaType(request: HttpRequest): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

async function readRequestBody(request: HttpRequest, row: EndpointRow, pace: BodyPace | undefined) {
  if (row.content === 'none') return undefined;
  const body = await readJson(request, JSON_BODY_BYTES_MAX, pace);
  return row.body === undefined ? body : checked(row.body, body, 'the body');
}
