// A deployment under test: its addresses and tokens, and requests to it over a socket.
import { type EndpointKey, endpointRow } from '../../api/src/index.ts';

export interface Target {
  /** The general address. */
  readonly url: string;
  /** The address of an edge deployment; equal to `url` if one process serves both. */
  readonly edge: string;
  /** An API token with all permissions. */
  readonly token: string;
  /** A personal token; without it, checks that need one are skipped. */
  readonly personalToken?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: responses have any shape.
  readonly body: any;
}

export interface Asking {
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /** The query string, with its `?`. */
  readonly query?: string;
  /** The body: strings and bytes are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another token, or null for none. Default: a token that the endpoint accepts. */
  readonly token?: string | null;
}

/**
 * Sends requests to a deployment. Names of created resources start with `prefix`, so that runs do not collide.
 */
export class Requests {
  readonly target: Target;
  readonly prefix: string;
  /** The endpoints that have succeeded. */
  readonly shown = new Set<EndpointKey>();
  #count = 0;

  constructor(target: Target, prefix = `contract-${Date.now().toString(36)}`) {
    this.target = target;
    this.prefix = prefix;
  }

  /** Returns a unique name. */
  name(): string {
    this.#count += 1;
    return `${this.prefix}-${this.#count}`;
  }

  /** Sends a request to an endpoint of the table. */
  call(key: EndpointKey, { params = {}, query = '', ...asking }: Asking = {}): Promise<Answer> {
    const row = endpointRow(key);
    const path = row.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? 'nothing'),
    );
    const { url, edge, token, personalToken } = this.target;
    const needsPersonal = !row.tokens.includes('api');
    return this.send(row.method, `${row.host === 'edge' ? edge : url}${path}${query}`, {
      ...asking,
      token: asking.token === undefined ? (needsPersonal ? personalToken! : token) : asking.token,
    });
  }

  async send(method: string, address: string, { body, headers, token }: Asking): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(address, {
      method,
      redirect: 'error',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token ?? this.target.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
