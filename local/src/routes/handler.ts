/** Defines the parameter and result of endpoint handlers. The endpoint's row validates and types the values. */
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
  /** The sender of the request, whose access to the endpoint was checked. */
  readonly caller: Caller;
  readonly visible: VisibleRecords;
  /** The edge deployment whose base path the request names; absent at the general address. */
  readonly edge?: EdgeDeployment;
  /** The origin of the local deployment, as the client named it. */
  readonly origin: string;
  readonly params: PathParams<K>;
  readonly query: QueryParams<K>;
  readonly headers: HeaderParams<K>;
  /** The validated JSON, or the decompressed events. */
  readonly body: Body<K> extends Uint8Array ? EventBody : Body<K>;
  readonly contentType: string;
  /** Arrival time of the request, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

/** An answer with its own status and headers, or with a body that is already serialized. */
export class Reply {
  readonly status: number;
  /** Serialized content, or a value to serialize as JSON. */
  readonly body: ReadableStream<Uint8Array> | Uint8Array | object;
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

/** The response to an ingest request in another service's format. */
export class IngestReply extends Reply {
  /** Decompressed size of the request in bytes. */
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
