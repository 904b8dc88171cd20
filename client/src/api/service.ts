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
import { isSuccess, refusal, traceOf } from './refusal.ts';

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
  /** Called when the host of the general address, which lists everything, does not answer. */
  onUnreachable?(): void;
}

/** What a call carries; members that an endpoint does not have are left out. */
export interface CallArguments<K extends EndpointKey> {
  readonly params?: PathParams<K>;
  readonly query?: QueryParams<K>;
  readonly headers?: HeaderParams<K>;
  readonly body?: Body<K>;
  /** The media type of a body of bytes. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** An answer: what code may use, and the very value that came. */
export interface Reply<K extends EndpointKey> {
  readonly typed: ReadResponse<K>;
  readonly raw: unknown;
  /** What the service says about a query that was saved and would not run as it is. */
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

const userAgent = 'aplomb';

export class Service {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Calls an endpoint. Never throws: what goes wrong comes back as a failure. */
  async call<K extends EndpointKey>(
    key: K,
    call: CallArguments<K> = {},
  ): Promise<Outcome<Reply<K>>> {
    const sent = await this.#send(key, call);
    if (!sent.ok) return sent;
    const { readReply } = await import('./endpoint.ts');
    return readReply(key, sent.answer, sent.host, sent.token);
  }

  /**
   * Calls an endpoint and passes the body of a success on in chunks, unread. Never throws. What the taker
   * throws ends the call with a failure of no use: the taker knows better why.
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
    return { ok: true, value: answer, ...traceOf(answer) };
  }

  async #send<K extends EndpointKey>(
    key: K,
    call: CallArguments<K>,
    body: { readonly take?: TakeChunk; readonly answerBytesMax?: number } = {},
  ): Promise<Sent> {
    const { addressOf, endpointRow, refusedToken } = await import('./endpoint.ts');
    const row = endpointRow(key);
    const address = addressOf(key, call, this.connection);
    if (!address.ok) return address;
    const url = address.value;
    const token = await this.connection.token(url.origin);
    const refused = refusedToken(key, token, url);
    if (refused) return failed(refused);
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
      dispatcher: this.connection.dispatcher,
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      repeatable: row.method === 'GET' || readingPosts.has(key),
    });
    if (answer.ok) return { ok: true, answer, host: url.host, token };
    const { general, onUnreachable } = this.connection;
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
