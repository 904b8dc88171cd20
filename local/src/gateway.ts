/**
 * Responds to requests throughout the life of the process. While the data is being opened, and while the process
 * restarts or ends, it responds with a 503. Otherwise it passes requests to the API. Health is always available without
 * a token, so that clients can verify the process before they send one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { matchPath } from '../../api/src/index.ts';
import {
  HEALTH_PATH,
  healthResponse,
  type ProcessState,
  portOf,
} from '../../loopback/src/health.ts';
import { type App, checkHost } from './app.ts';
import { routeOf } from './edges.ts';
import { errorResponse } from './errorFormats.ts';
import { ApiError, type ErrorReason } from './errors.ts';
import { type HttpRequest, HttpResponse } from './http.ts';

export class Gateway {
  readonly #token: string;
  #state: ProcessState = 'opening';
  #app: App | undefined;
  /** Pending requests, each with functions to respond immediately or to drop its connection. */
  readonly #pending = new Map<HttpRequest, PendingRequest>();

  constructor(token: string) {
    this.#token = token;
  }

  open(app: App): void {
    this.#app = app;
    this.#state = 'open';
  }

  /** Responds to a request. Rejects only if a restart leaves it unknown whether changes are stored. */
  readonly respond: App = async (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.pathname === HEALTH_PATH) return this.#health(request, url);
    const refusal = refusals[this.#state];
    if (refusal !== undefined) return refusalResponse(refusal);
    if (this.#app === undefined) return errorResponse(new ApiError('opening'));
    return this.#answer(request, this.#app);
  };

  /** Rejects new requests, while those in progress continue. */
  end(): void {
    this.#state = 'ending';
  }

  /**
   * Rejects new requests, gives those in progress `graceMs` to finish, and responds to the rest with a 503. Responses
   * whose headers were sent are not awaited. `endWrites` prevents later writes: a client repeats a request after a
   * 503, so the first attempt must not be stored later. Requests that may already be stored get `storedMs` more to
   * finish.
   */
  async restart(
    graceMs: number,
    endWrites: () => Promise<void>,
    storedMs = STORED_MS,
  ): Promise<void> {
    this.#state = 'restarting';
    await waitUntil(graceMs, () => this.#pending.size === 0);
    await endWrites();
    await waitUntil(storedMs, () => ![...this.#pending.keys()].some(mayChangeData));
    for (const [request, { answer, disconnect }] of this.#pending) {
      // It is unknown whether the request is stored, so drop the connection without a response.
      if (mayChangeData(request)) disconnect();
      else answer(refusalResponse('restarting'));
    }
  }

  #answer(request: HttpRequest, app: App): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const answer = (response: HttpResponse) => {
        this.#pending.delete(request);
        resolve(response);
      };
      const disconnect = () => {
        this.#pending.delete(request);
        reject(new Error('The request is cut off by a restart.'));
      };
      this.#pending.set(request, { answer, disconnect });
      void app(request).then(answer);
    });
  }

  #health(request: HttpRequest, url: URL): HttpResponse {
    try {
      checkHost(request, url);
    } catch (error) {
      return errorResponse(error as ApiError);
    }
    const nonce = url.searchParams.get('nonce') ?? '';
    const ends = { port: portOf(url), client: request.client ?? '' };
    return HttpResponse.json(healthResponse(this.#token, ends, nonce, process.pid, this.#state));
  }
}

interface PendingRequest {
  readonly answer: (response: HttpResponse) => void;
  readonly disconnect: () => void;
}

function mayChangeData({ method, url }: HttpRequest): boolean {
  if (method === 'GET') return false;
  const match = matchPath(method, routeOf(new URL(url).pathname).path);
  return match.kind === 'found' && match.row.capability !== 'query:read';
}

/** Resolves when `isTrue` returns true, or after `ms`. */
async function waitUntil(ms: number, isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + ms;
  while (!isTrue() && performance.now() < deadline) await pause(POLL_MS);
}

const refusals: { readonly [State in ProcessState]?: ErrorReason } = {
  restarting: 'restarting',
  ending: 'shutting-down',
};

// The response closes the connection, because the process will have exited before the client's next request.
function refusalResponse(reason: ErrorReason): HttpResponse {
  return errorResponse(new ApiError(reason), { connection: 'close' });
}

const POLL_MS = 20;

/** Maximum time for a request to get its response after its changes are stored. */
const STORED_MS = 500;
