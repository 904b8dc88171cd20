/** What a handler of an endpoint gets and gives: values checked by the endpoint's row, typed by it. */
import type {
  Response as ApiResponse,
  Body,
  EdgeDeployment,
  EndpointKey,
  HeaderParams,
  PathParams,
  QueryParams,
} from '../../../api/src/index.ts';
import type { Caller } from '../access/callers.ts';
import type { VisibleRecords } from '../access/gate.ts';
import type { EventBody } from '../eventBody.ts';
import type { Store } from '../store/store.ts';

export interface Call<K extends EndpointKey> {
  readonly store: Store;
  /** Who sends the request. What the sender may do has been checked. */
  readonly caller: Caller;
  /** The datasets and documents that lists are made of. */
  readonly visible: VisibleRecords;
  /** The edge deployment whose base path the request names; absent at the general address. */
  readonly edge?: EdgeDeployment;
  /** The address of the local deployment, as the client named it. */
  readonly origin: string;
  readonly params: PathParams<K>;
  readonly query: QueryParams<K>;
  readonly headers: HeaderParams<K>;
  /** JSON, checked; or the events, unpacked. */
  readonly body: Body<K> extends Uint8Array ? EventBody : Body<K>;
  readonly contentType: string;
  /** When the request came, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

/** An answer with another status than the endpoint's first, or with a stream for a body. */
export class Reply {
  readonly status: number;
  /** JSON text as bytes, or a value to be written as JSON. */
  readonly body: ReadableStream<Uint8Array> | Uint8Array | object;
  /** Headers beyond the usual ones, or in their place. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: ReadableStream<Uint8Array> | Uint8Array | object,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The answer to an ingest request that was not in the form of the service itself. */
export class IngestReply extends Reply {
  /** Bytes of the request, unpacked. */
  readonly processedBytes: number;

  constructor(
    body: Uint8Array | object,
    processedBytes: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(200, body, headers);
    this.processedBytes = processedBytes;
  }
}

export type Handler<K extends EndpointKey> = (
  call: Call<K>,
) => Promise<ApiResponse<K> | Reply> | ApiResponse<K> | Reply;

export type Handlers = { readonly [K in EndpointKey]?: Handler<K> };
