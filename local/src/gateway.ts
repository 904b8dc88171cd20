/**
 * What the port answers over the life of the process: a 503 while the data is being opened and while the process
 * restarts or ends, the API in between. Health is answered at any time, without a token, so that clients know whom
 * they talk to before they send one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { matchPath } from '../../api/src/index.ts';
import { HEALTH_PATH, healthOf, type ProcessState, portOf } from '../../loopback/src/health.ts';
import { type App, checkHost } from './app.ts';
import { routeOf } from './edges.ts';
import { errorResponse } from './errorForms.ts';
import { ApiError, type ErrorReason } from './errors.ts';
import { type HttpRequest, HttpResponse } from './http.ts';

export class Gateway {
  readonly #token: string;
  #state: ProcessState = 'opening';
  #app: App | undefined;
  /** Requests without a response yet, each with what answers it at once, or breaks its connection off. */
  readonly #unanswered = new Map<HttpRequest, Unanswered>();

  constructor(token: string) {
    this.#token = token;
  }

  /** Passes requests to the API from now on. */
  open(app: App): void {
    this.#app = app;
    this.#state = 'open';
  }

  /** Answers a request. Rejects only where a restart leaves open whether its changes are stored. */
  readonly respond: App = async (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.pathname === HEALTH_PATH) return this.#health(request, url);
    const refusal = refusals[this.#state];
    if (refusal !== undefined) return refused(refusal);
    if (this.#app === undefined) return errorResponse(new ApiError('opening'));
    return this.#answer(request, this.#app);
  };

  /** Refuses new requests, while those in progress go on. */
  end(): void {
    this.#state = 'ending';
  }

  /**
   * Refuses new requests, gives those in progress `graceMs` to be answered, and answers the rest with a 503.
   * A response whose head has gone out is not waited for. `endWrites` has nothing stored from then on: a
   * client repeats what is refused with a 503, so that it must not be stored later. Requests that may have
   * been stored get `storedMs` more to be answered.
   */
  async restart(
    graceMs: number,
    endWrites: () => Promise<void>,
    storedMs = STORED_MS,
  ): Promise<void> {
    this.#state = 'restarting';
    await within(graceMs, () => this.#unanswered.size === 0);
    await endWrites();
    await within(storedMs, () => ![...this.#unanswered.keys()].some(mayStore));
    for (const [request, { answer, cutOff }] of this.#unanswered) {
      // Whether it is stored is open, and no answer says so.
      if (mayStore(request)) cutOff();
      else answer(refused('restarting'));
    }
  }

  #answer(request: HttpRequest, app: App): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const answer = (response: HttpResponse) => {
        this.#unanswered.delete(request);
        resolve(response);
      };
      const cutOff = () => {
        this.#unanswered.delete(request);
        reject(new Error('The request is cut off by a restart.'));
      };
      this.#unanswered.set(request, { answer, cutOff });
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
    return HttpResponse.json(healthOf(this.#token, ends, nonce, process.pid, this.#state));
  }
}

interface Unanswered {
  readonly answer: (response: HttpResponse) => void;
  readonly cutOff: () => void;
}

/** Whether a request may change what is stored. */
function mayStore({ method, url }: HttpRequest): boolean {
  if (method === 'GET') return false;
  const match = matchPath(method, routeOf(new URL(url).pathname).path);
  return match.kind === 'found' && match.row.capability !== 'query:read';
}

/** Resolves when something holds, or after `ms`. */
async function within(ms: number, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds() && performance.now() < deadline) await pause(POLL_MS);
}

const refusals: { readonly [State in ProcessState]?: ErrorReason } = {
  restarting: 'restarting',
  ending: 'shutting-down',
};

// The process would be gone before the next request on the connection.
function refused(reason: ErrorReason): HttpResponse {
  return errorResponse(new ApiError(reason), { connection: 'close' });
}

const POLL_MS = 20;

/** How long the answer to a request may take once its changes are stored. */
const STORED_MS = 500;
