/**
 * The primary keeps tokens, roles and all other resources, for processes in front of the same ClickHouse that are
 * started with `--resources`. Such a process asks the primary for the access of each token, keeps a copy of the views
 * and virtual fields for its queries, and forwards all requests for resources.
 */
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import {
  matchPath,
  parseJson,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type View,
  type VirtualField,
} from '../../../api/src/index.ts';
import { READ } from '../access/access.ts';
import type { Caller } from '../access/callers.ts';
import { Capabilities } from '../access/capabilities.ts';
import { expiryMillis } from '../access/storedToken.ts';
import { bodyPieces } from '../body.ts';
import { routeOf } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { concat, type HttpRequest, HttpResponse } from '../http.ts';
import { type BodyPace, JSON_BODY_BYTES_MAX, QUERY_MS_MAX } from '../limits.ts';
import { eventHandlers } from '../routes/handlers.ts';
import { isSaved } from '../routes/query.ts';
import { RecentMap } from '../store/recentMap.ts';
import type { Resources } from '../store/resources.ts';
import { ACCESS_PATH, type AccessRecord, REFRESH_PATH, RESOURCES_PATH } from './asked.ts';
import { authorizedBy, type PrimaryAddress, PrimaryConnection } from './connection.ts';

/** The time for which access and resources are kept, and so the delay of a change on the primary. */
const KEPT_MS = 5_000;

const CALLERS_MAX = 1_000;

interface Kept<T> {
  readonly since: number;
  readonly value: Promise<T>;
}

export class Primary {
  readonly #connection: PrimaryConnection;
  readonly #resources: Resources;
  /** Callers by the hash of their token. */
  readonly #callers = new RecentMap<Kept<Caller>>(CALLERS_MAX);
  /** The copy of the resources, by its path. */
  readonly #copies = new RecentMap<Kept<void>>(1);
  readonly #tokens = new WeakMap<Caller, string>();

  /** `resources` gets the views and virtual fields of the primary. */
  constructor(address: PrimaryAddress, resources: Resources) {
    this.#connection = new PrimaryConnection(address);
    this.#resources = resources;
  }

  /**
   * Returns the caller with a token, once the views and virtual fields are up to date. Throws an ApiError if the token
   * is not valid or the primary is not available.
   */
  async callerOf(token: string, hash: string): Promise<Caller> {
    const [caller] = await Promise.all([
      kept(this.#callers, hash, () => this.#readCaller(token)),
      kept(this.#copies, RESOURCES_PATH, () => this.#copyResources()),
    ]);
    if (expiryMillis(caller.expiresAt) > Date.now()) return caller;
    throw new ApiError('wrong-token');
  }

  async #readCaller(token: string): Promise<Caller> {
    const json = await this.#connection.read('GET', ACCESS_PATH, token);
    if (json === undefined) throw new ApiError('wrong-token');
    const { grants, ...record } = JSON.parse(json) as AccessRecord;
    const caller = { ...record, capabilities: Capabilities.of([grants]) };
    this.#tokens.set(caller, token);
    return caller;
  }

  async #copyResources(): Promise<void> {
    const json = await this.#connection.read('GET', RESOURCES_PATH);
    const { views, virtualFields } = parseJson(json!) as {
      readonly views: readonly View[];
      readonly virtualFields: readonly VirtualField[];
    };
    this.#resources.copy('view', views);
    this.#resources.copy('virtual field', virtualFields);
  }

  /** Forwards a request for resources. Returns undefined for requests that this process answers itself. */
  async forward(
    request: HttpRequest,
    url: URL,
    caller: Caller,
    pace: BodyPace | undefined,
  ): Promise<HttpResponse | undefined> {
    const { method, signal } = request;
    const match = matchPath(method, routeOf(url.pathname).path);
    if (match.kind !== 'found') return undefined;
    const isQuery = match.row.capability === READ;
    // The primary keeps the history, so it runs the queries that are saved there.
    const isForPrimary = isQuery
      ? isSaved(url.searchParams.get('saveAsKind') ?? undefined)
      : !Object.hasOwn(eventHandlers, match.key);
    if (!isForPrimary) return undefined;
    const token = this.#tokens.get(caller);
    if (token === undefined) throw new ApiError('wrong-token');
    const body = await concat(bodyPieces(request, JSON_BODY_BYTES_MAX, pace));
    const isChange = method !== 'GET' && !isQuery;
    // The change may name a dataset or field that only this process knows yet.
    if (isChange) await this.#connection.read('POST', REFRESH_PATH);
    const sent = this.#connection.send({
      ...{ method, body, signal, path: url.pathname + url.search },
      headers: { ...sentHeaders(request), ...authorizedBy(token) },
      ...(isQuery && { waitMs: QUERY_MS_MAX }),
    });
    const response = await sent.finally(() => {
      if (!isChange) return;
      this.#callers.clear();
      this.#copies.clear();
    });
    const status = response.statusCode!;
    return new HttpResponse(
      status === 204 ? null : (Readable.toWeb(response) as NodeStream as ReadableStream),
      { status, headers: receivedHeaders(response.headers) },
    );
  }
}

/** Returns a value that was read less than `KEPT_MS` ago. Requests at the same time share one reading. */
function kept<T>(values: Map<string, Kept<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const known = values.get(key);
  if (known !== undefined && since - known.since < KEPT_MS) return known.value;
  const next = { since, value: read() };
  values.set(key, next);
  next.value.catch(() => {
    if (values.get(key) === next) values.delete(key);
  });
  return next.value;
}

function sentHeaders({ headers }: HttpRequest): Record<string, string> {
  const names = [REQUEST_HEADERS.contentType, REQUEST_HEADERS.organization];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

const RECEIVED = new Set(['content-type', ...Object.values(RESPONSE_HEADERS)]);

function receivedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      RECEIVED.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
