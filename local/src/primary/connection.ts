/**
 * Sends requests to the primary, the process that keeps the resources. A connection to a loopback address is used only
 * after the primary has proven that it knows the token, because another program could use the port. Other addresses use
 * TLS. Redirects are not followed, because they could lead a caller's token elsewhere.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { connectProven, UnprovenServerError } from '../../../loopback/src/connect.ts';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import { ApiError } from '../errors.ts';

/** The primary's URL, and the API token that it printed. */
export type PrimaryAddress = LocalAddress;

export interface PrimaryRequest {
  readonly method: string;
  /** The path, with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  /** The maximum time until the headers of the response arrive. */
  readonly waitMs?: number;
}

const WAIT_MS = 10_000;

/** The maximum time between two parts of a body. */
const IDLE_MS = 60_000;

const KEPT_ALIVE = { keepAlive: true, maxFreeSockets: 8 } as const;

class ProvenAgent extends Agent {
  readonly #primary: PrimaryAddress;

  constructor(primary: PrimaryAddress) {
    super(KEPT_ALIVE);
    this.#primary = primary;
  }

  override createConnection(...[, done]: Parameters<Agent['createConnection']>): undefined {
    connectProven(this.#primary).then(
      ({ socket }) => done?.(null, socket),
      // Node ignores the missing socket if there is an error.
      (error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
    );
  }
}

export class PrimaryConnection {
  readonly #primary: PrimaryAddress;
  readonly #agent: Agent;
  readonly #request: typeof httpRequest;

  constructor(primary: PrimaryAddress) {
    const isTls = new URL(primary.url).protocol === 'https:';
    this.#primary = primary;
    this.#agent = isTls ? new TlsAgent(KEPT_ALIVE) : new ProvenAgent(primary);
    this.#request = isTls ? tlsRequest : httpRequest;
  }

  /** Resolves with a response whose body is unread. Throws an ApiError if the primary doesn't answer. */
  send({ method, path, headers, body, signal, waitMs = WAIT_MS }: PrimaryRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = body && { 'content-length': String(body.length) };
    const request = this.#request(new URL(path, this.#primary.url), {
      ...{ method, agent: this.#agent, headers: { ...headers, ...length } },
      ...(signal && { signal }),
    });
    let isSent = false;
    const late = setTimeout(() => request.destroy(new Error('it does not answer')), waitMs);
    request
      .on('finish', () => {
        isSent = true;
      })
      .on('error', (error) => {
        clearTimeout(late);
        const { url } = this.#primary;
        const problem =
          error instanceof UnprovenServerError
            ? `the program at ${url} does not know the token in APLOMB_RESOURCES_TOKEN`
            : error.message;
        reject(unavailable(problem, isSent && method !== 'GET'));
      })
      .on('response', (response) => {
        clearTimeout(late);
        response.setTimeout(IDLE_MS, () => request.destroy());
        const status = response.statusCode!;
        if (status >= 200 && (status < 300 || status >= 400)) resolve(response);
        else request.destroy(new Error(`it answers with status ${status}`));
      })
      .end(body);
    return promise;
  }

  /** Returns the JSON of a successful response, or undefined if the primary refuses the token. */
  async read(method: string, path: string, token = this.#primary.token) {
    const response = await this.send({ method, path, headers: authorizedBy(token) });
    const answer = await text(response).catch((error: Error) => {
      throw unavailable(error.message);
    });
    if (response.statusCode === 401 && token !== this.#primary.token) return undefined;
    if (response.statusCode === 200) return answer;
    throw unavailable(`it answers with status ${response.statusCode}`);
  }
}

export function authorizedBy(token: string) {
  return { authorization: `Bearer ${token}` };
}

/** Returns the error of a request that had no effect, unless the request `mayBeDone`. */
function unavailable(problem: string, mayBeDone = false): ApiError {
  return new ApiError(mayBeDone ? 'primary-unconfirmed' : 'primary-unavailable', { problem });
}
