/** Types of endpoint handlers, derived from the endpoints' definitions. The definitions also validate the values. */
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
  /** The sender, whose access has already been checked. */
  readonly caller: Caller;
  readonly visible: VisibleRecords;
  readonly edge?: EdgeDeployment;
  /** The local deployment's origin in the form that the client used. */
  readonly origin: string;
  readonly params: PathParams<K>;
  readonly query: QueryParams<K>;
  readonly headers: HeaderParams<K>;
  /** The validated JSON body or, for ingest, the decompressed bytes. */
  readonly body: Body<K> extends Uint8Array ? EventBody : Body<K>;
  readonly contentType: string;
  /** Arrival time in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

export class Reply {
  readonly status: number;
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

export class IngestReply extends Reply {
  /** Size of the decompressed body, in bytes. */
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
