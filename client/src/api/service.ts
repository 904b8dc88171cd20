// Typed calls to one deployment, made from the rows of `api`: the row says where a call goes, which
// token it takes and how its answer is read. Nothing here knows VS Code.
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
import { failed, type Outcome } from './failure.ts';
import { type HttpAnswer, type HttpOutcome, send, type TakeChunk } from './http.ts';
import type { Place, Places } from './places.ts';
import { isPage, isSuccess, refusal, traceOf, unreadable } from './refusal.ts';
import { addressKind, type Operation, type RouteNotice, routeFor } from './routing.ts';

/** Where a deployment is and how requests get there. */
export interface Connection {
  /** Addresses without a slash at their end. They may carry a path. */
  readonly general: string;
  readonly edge: string;
  /** The organisation a personal token acts in. */
  readonly organization?: string;
  /** The token that was entered for an origin, and for no other. */
  token(origin: string): Promise<string | undefined>;
  readonly dispatcher: Dispatcher;
  /** Where the datasets are stored; without it, everything goes to the edge address. */
  readonly places?: Places;
  /**
   * Whether the token may be sent to an address that the record of a dataset names. Where the person has not
   * been asked yet, they are if `ask` is set. Without it, only the deployment's own addresses get the token.
   */
  admits?(address: string, place: Place, ask: boolean): Promise<boolean>;
  /** Asks whether to make a change. People confirm changes to production. */
  confirms?(key: EndpointKey): Promise<boolean>;
  /** Called with every answer, for what its headers say. */
  onAnswer?(answer: HttpAnswer): void;
  /** Called when the host of the general address, which lists everything, does not answer. */
  onUnreachable?(): void;
}

/** The subject of a data request. */
export interface Routed {
  readonly datasets?: readonly string[] | undefined;
  /** Whether the person waits for it, and may be asked. */
  readonly ask?: boolean | undefined;
}

/** Where a request for data goes. */
type Destination =
  | { readonly kind: 'edge'; readonly address: string }
  | { readonly kind: 'general'; readonly notices: readonly RouteNotice[] };

/** The arguments of a call. Members that the endpoint doesn't have are left out. */
export interface CallArguments<K extends EndpointKey> {
  readonly params?: PathParams<K>;
  readonly query?: QueryParams<K>;
  readonly headers?: HeaderParams<K>;
  readonly body?: Body<K>;
  /** The media type of a body of bytes. */
  readonly contentType?: string;
  /** The address of the edge deployment to ask, in place of the connection's. */
  readonly edge?: string;
  /** Whether it stores nothing although it could, so that nobody needs to confirm it. */
  readonly isTest?: boolean;
  /** Whether a read is not repeated, even if a second try may succeed. */
  readonly isOptional?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** An answer: what code may use, and the very value that came. */
export interface Reply<K extends EndpointKey> {
  readonly typed: ReadResponse<K>;
  readonly raw: unknown;
  /** The service's notices about a saved query that would not run unchanged. */
  readonly notices: readonly string[];
}

/** An answer with what reading it needs, or why there is none. */
type Sent =
  | {
      readonly ok: true;
      readonly answer: HttpAnswer;
      readonly host: string;
      readonly token: string | undefined;
    }
  | Exclude<HttpOutcome, HttpAnswer>;

/** For calls that say nothing about it. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Calls that only read although they are no GET. */
const readingPosts: ReadonlySet<EndpointKey> = new Set<EndpointKey>(['queryEdge', 'queryGeneral']);

/** Calls after which datasets may be in other places. */
const placing: ReadonlySet<EndpointKey> = new Set<EndpointKey>(['createDataset', 'deleteDataset']);

const cancelled = {
  kind: 'cancelled',
  message: 'The request was cancelled.',
  sent: false,
} as const;

const userAgent = 'aplomb';

export class Service {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /**
   * Routes a query or events to the datasets' edge deployment or the general address. Fails if the person withholds the
   * token.
   */
  async route(
    operation: Operation,
    { datasets = [], ask = false }: Routed,
  ): Promise<Outcome<Destination>> {
    const { connection } = this;
    const { general, edge, places } = connection;
    const token = await connection.token(new URL(general).origin);
    const kind = token === undefined ? undefined : tokenKind(token);
    const isNeeded = kind === 'personal' || addressKind(connection) !== 'one';
    const stored = isNeeded && places ? await places.of(this, datasets) : [];
    const route = routeFor({ operation, token: kind, addresses: { general, edge }, stored });
    if (route.kind === 'general') return { ok: true, value: route };
    if (route.kind === 'refused') {
      return failed({ kind: 'routing', host: new URL(edge).host, message: route.message });
    }
    const { address, place } = route;
    if (place === undefined || (await connection.admits?.(address, place, ask))) {
      return { ok: true, value: { kind: 'edge', address } };
    }
    const names = datasets.map((name) => `'${name}'`).join(', ');
    return failed({
      kind: 'routing',
      host: place.name,
      message: `${names} is stored in ${place.name}, at ${address}. The token is not sent there, because it was not entered for that address. Run a query on the dataset to be asked for permission.`,
    });
  }

  /** Calls an endpoint. Never throws: what goes wrong comes back as a failure. */
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

  /** Calls an endpoint and passes a successful body on in chunks. Never throws. An error of the taker ends the call. */
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
  ): Promise<Sent> {
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
      return failed({ ...cancelled, host: url.host });
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
      // What is not there may be in another edge deployment by now.
      if (answer.status === 404 && row.host === 'edge') connection.places?.forget();
      return { ok: true, answer, host: url.host, token };
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
      'user-agent': userAgent,
      ...(token !== undefined && { [REQUEST_HEADERS.authorization]: `Bearer ${token}` }),
      ...(organization !== undefined &&
        token !== undefined &&
        tokenKind(token) === 'personal' && { [REQUEST_HEADERS.organization]: organization }),
    };
  }
}
