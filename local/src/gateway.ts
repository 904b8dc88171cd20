/**
 * Receives all requests during the life of the process. Responds with status 503 while the data is being opened and
 * while the process restarts or exits. The health check always works without a token, so that clients can verify the
 * process before they send one.
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
  /** Functions that end a pending request early. */
  readonly #pending = new Map<HttpRequest, PendingRequest>();

  constructor(token: string) {
    this.#token = token;
  }

  open(app: App): void {
    this.#app = app;
    this.#state = 'open';
  }

  /** Responds to a request. Rejects only if a restart interrupts a request whose changes may have been stored. */
  readonly respond: App = async (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.pathname === HEALTH_PATH) return this.#health(request, url);
    const refusal = refusals[this.#state];
    if (refusal !== undefined) return refusalResponse(refusal);
    if (this.#app === undefined) return errorResponse(new ApiError('opening'));
    return this.#answer(request, this.#app);
  };

  /** Rejects new requests. Pending requests continue. */
  end(): void {
    this.#state = 'ending';
  }

  /**
   * Prepares for a restart, in these steps:
   * - Rejects new requests, and gives pending requests `graceMs` to finish.
   * - Calls `endWrites`, which prevents later writes. Clients repeat a request after a 503, so the first attempt must
   *   not be stored.
   * - Gives requests that may already be stored another `storedMs` to finish.
   * - Drops the connections of requests that may be stored, and responds to the others with a 503.
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
      // The request may be stored, so a response could be wrong.
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

async function waitUntil(ms: number, isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + ms;
  while (!isTrue() && performance.now() < deadline) await pause(POLL_MS);
}

const refusals: { readonly [State in ProcessState]?: ErrorReason } = {
  restarting: 'restarting',
  ending: 'shutting-down',
};

// Returns an error that closes the connection, because the process will exit before the client's next request.
function refusalResponse(reason: ErrorReason): HttpResponse {
  return errorResponse(new ApiError(reason), { connection: 'close' });
}

const POLL_MS = 20;

/** Maximum time to send a response after its changes are stored. */
const STORED_MS = 500;
