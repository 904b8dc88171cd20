// Typed calls to a deployment, as declared by the rows of `api`. Independent of VS Code.
import type { Dispatcher } from 'undici';
import type {
  Body,
  EndpointKey,
  HeaderParams,
  PathParams,
  QueryParams,
  ReadResponse,
} from '../../../api/src/index.ts';
import { REQUEST_HEADERS, stringifyJson, tokenKind } from '../../../api/src/plain.ts';
import type { TakeChunk } from './chunks.ts';
import { failed, type Outcome } from './failure.ts';
import { type HttpAnswer, send } from './http.ts';
import type { Place, Places } from './places.ts';
import { isPage, isSuccess, refusal, traceOf, unreadable } from './refusal.ts';
import { addressKind, type Operation, type Route, routeFor } from './routing.ts';

export interface Connection {
  /** The general and edge addresses, without a trailing slash. They may contain a path. */
  readonly general: string;
  readonly edge: string;
  readonly organization?: string;
  /** Returns the token that the user entered for exactly this origin. */
  token(origin: string): Promise<string | undefined>;
  readonly dispatcher: Dispatcher;
  /** Finds datasets' edge deployments. If absent, all requests go to the edge address. */
  readonly places?: Places;
  /**
   * Returns whether an address in a dataset's record may get the token. If `ask` is set, the user is asked the first
   * time. Without this function, only the deployment's own addresses get the token.
   */
  admits?(address: string, place: Place, ask: boolean): Promise<boolean>;
  /** Asks the user to confirm a change to production. */
  confirms?(key: EndpointKey): Promise<boolean>;
  onAnswer?(answer: HttpAnswer): void;
  /** Called if the host of the general address, which serves all lists, is unreachable. */
  onUnreachable?(): void;
}

export interface Routed {
  readonly datasets?: readonly string[] | undefined;
  /** Whether a user is waiting for the result and may be asked. */
  readonly ask?: boolean | undefined;
}

/** A call's arguments, limited to those that the endpoint accepts. */
export interface CallArguments<K extends EndpointKey> {
  readonly params?: PathParams<K>;
  readonly query?: QueryParams<K>;
  readonly headers?: HeaderParams<K>;
  readonly body?: Body<K>;
  readonly contentType?: string;
  /** The edge deployment's address, if it differs from the connection's. */
  readonly edge?: string;
  /** Whether the call stores nothing, so that no confirmation is needed. */
  readonly isTest?: boolean;
  /** Whether to skip retries after a failed read. */
  readonly isOptional?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A response, as typed data for use in code and as raw data that is stored unchanged. */
export interface Reply<K extends EndpointKey> {
  readonly typed: ReadResponse<K>;
  readonly raw: unknown;
  /** Notices about problems in a stored resource's queries. Only the local deployment sends them. */
  readonly notices: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Calls that only read, although they aren't GET requests. */
const readingPosts: ReadonlySet<EndpointKey> = new Set<EndpointKey>(['queryEdge', 'queryGeneral']);

/** Calls that may change where datasets are stored. */
const placing: ReadonlySet<EndpointKey> = new Set<EndpointKey>(['createDataset', 'deleteDataset']);

export class Service {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Routes a query or events to an address. Fails if the user doesn't allow the token to be sent there. */
  async route(
    operation: Operation,
    { datasets = [], ask = false }: Routed,
  ): Promise<Outcome<Exclude<Route, { readonly kind: 'refused' }>>> {
    const { connection } = this;
    const { general, edge, places } = connection;
    const token = await connection.token(new URL(general).origin);
    const kind = token === undefined ? undefined : tokenKind(token);
    const isNeeded = kind === 'personal' || addressKind(connection) !== 'one';
    const stored = isNeeded && places ? await places.of(this, datasets) : [];
    const route = routeFor({ operation, token: kind, addresses: { general, edge }, stored });
    if (route.kind === 'refused') {
      return failed({ kind: 'routing', host: new URL(edge).host, message: route.message });
    }
    if (route.kind === 'general' || route.place === undefined) return { ok: true, value: route };
    const { address, place } = route;
    if (await connection.admits?.(address, place, ask)) return { ok: true, value: route };
    const names = datasets.map((name) => `'${name}'`).join(', ');
    return failed({
      kind: 'routing',
      host: place.name,
      message: `${names} is stored in ${place.name}, at ${address}. The token is not sent there, because it was not entered for that address. Run a query on the dataset to be asked for permission.`,
    });
  }

  /** Calls an endpoint. Never throws. */
  async call<K extends EndpointKey>(
    key: K,
    call: CallArguments<K> = {},
  ): Promise<Outcome<Reply<K>>> {
    const sent = await this.#send(key, call);
    if (!sent.ok) return sent;
    if (placing.has(key)) this.connection.places?.forget();
    const { readReply } = await import('./endpoint.ts');
    return readReply(key, sent.answer, sent.host, sent.token);
  }

  /**
   * Calls an endpoint and passes the body of a successful response to `take` in chunks. Never throws: if `take`
   * rejects, the call ends and returns a failure.
   */
  async stream<K extends EndpointKey>(
    key: K,
    call: CallArguments<K>,
    take: TakeChunk,
    maxBytes: number,
  ): Promise<Outcome<HttpAnswer>> {
    const sent = await this.#send(key, call, { take, answerBytesMax: maxBytes });
    if (!sent.ok) return sent;
    const { answer, host, token } = sent;
    if (!isSuccess(answer)) return failed(refusal(answer, host, token));
    if (isPage(answer)) return failed(unreadable(answer, host, 'it is not JSON'));
    return { ok: true, value: answer, ...traceOf(answer) };
  }

  async #send<K extends EndpointKey>(
    key: K,
    call: CallArguments<K>,
    body: { readonly take?: TakeChunk; readonly answerBytesMax?: number } = {},
  ) {
    const { addressOf, endpointRow, refusedToken } = await import('./endpoint.ts');
    const row = endpointRow(key);
    const { connection } = this;
    const address = addressOf(key, call, { ...connection, edge: call.edge ?? connection.edge });
    if (!address.ok) return address;
    const url = address.value;
    const token = await connection.token(url.origin);
    const refused = refusedToken(key, token, url);
    if (refused) return failed(refused);
    const isRead = row.method === 'GET' || readingPosts.has(key);
    if (!isRead && !call.isTest && connection.confirms && !(await connection.confirms(key))) {
      const message = 'The request was cancelled.';
      return failed({ kind: 'cancelled', host: url.host, message, sent: false });
    }
    const json = row.content === 'json';
    const answer = await send({
      ...body,
      method: row.method,
      url,
      headers: {
        ...(call.headers as Record<string, string> | undefined),
        ...this.#commonHeaders(token),
        ...(json && { [REQUEST_HEADERS.contentType]: 'application/json' }),
        ...(call.contentType && { [REQUEST_HEADERS.contentType]: call.contentType }),
      },
      body: json ? stringifyJson(call.body) : (call.body as Uint8Array | undefined),
      dispatcher: connection.dispatcher,
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      repeatable: isRead && !call.isOptional,
    });
    if (answer.ok) {
      connection.onAnswer?.(answer);
      // Forget the locations, because a missing dataset may be in another edge deployment now.
      if (answer.status === 404 && row.host === 'edge') connection.places?.forget();
      return { ok: true as const, answer, host: url.host, token };
    }
    const { general, onUnreachable } = connection;
    if (answer.failure.kind === 'unreachable' && url.origin === new URL(general).origin) {
      onUnreachable?.();
    }
    return answer;
  }

  #commonHeaders(token: string | undefined): Record<string, string> {
    const { organization } = this.connection;
    return {
      accept: 'application/json',
      'user-agent': 'aplomb',
      ...(token !== undefined && { [REQUEST_HEADERS.authorization]: `Bearer ${token}` }),
      ...(organization !== undefined &&
        token !== undefined &&
        tokenKind(token) === 'personal' && { [REQUEST_HEADERS.organization]: organization }),
    };
  }
}
