/** Defines requests and responses. Node's own classes load undici, which takes longer than a query. */
import type { Readable } from 'node:stream';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** IP address and port of the client, for requests over the network. */
  readonly client?: string;
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Prefer the Node stream to `body`, because a web stream slows ingest by a tenth. */
  readonly source?: () => Readable;
}

export type HttpBody = Uint8Array | ReadableStream<Uint8Array> | string | null;

export class HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: HttpBody;

  constructor(
    body: HttpBody,
    {
      status = 200,
      headers = {},
    }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.status = status;
    this.headers = new HttpHeaders(Object.entries(headers));
    this.body = body;
  }

  static json(
    value: unknown,
    { status = 200, headers = {} }: ConstructorParameters<typeof HttpResponse>[1] = {},
  ): HttpResponse {
    const all = { 'content-type': 'application/json', ...headers };
    return new HttpResponse(JSON.stringify(value), { status, headers: all });
  }

  async text(): Promise<string> {
    return Buffer.from(await this.bytes()).toString();
  }

  async bytes(): Promise<Uint8Array> {
    if (this.body === null || typeof this.body === 'string') return Buffer.from(this.body ?? '');
    if (this.body instanceof Uint8Array) return this.body;
    return concat(this.body);
  }
}

export async function concat(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Headers of a request or response. Names are case-insensitive. */
export class HttpHeaders {
  readonly #values: ReadonlyMap<string, string>;

  constructor(entries: Iterable<readonly [name: string, value: string]>) {
    this.#values = new Map([...entries].map(([name, value]) => [name.toLowerCase(), value]));
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  [Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    return this.#values.entries();
  }
}
