/**
 * What the port answers over the life of the process: a 503 while the data is being opened and while the
 * process restarts, the API in between. Health is answered at any time, without a token: a start that
 * finds a lock file asks it whether the server at that port is the process that wrote the file.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { matchPath } from '../../api/src/index.ts';
import { type App, checkHost } from './app.ts';
import { routeOf } from './edges.ts';
import { errorResponse } from './errorForms.ts';
import { ApiError } from './errors.ts';
import { type HttpRequest, HttpResponse } from './http.ts';

export const HEALTH_PATH = '/_local/health';

export interface Health {
  readonly pid: number;
  readonly state: GatewayState;
  /** The `healthProof` of the token for the request's `nonce`, so that no token is sent to a stranger. */
  readonly proof: string;
}

export type GatewayState = 'opening' | 'open' | 'restarting';

export class Gateway {
  readonly #token: string;
  #state: GatewayState = 'opening';
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
    if (this.#app === undefined) return errorResponse(new ApiError('opening'));
    if (this.#state === 'restarting') return restarting();
    return this.#answer(request, this.#app);
  };

  /**
   * Refuses new requests, gives those in progress `graceMs` to be answered, and answers the rest with a 503.
   * A response whose head has gone out is not waited for. `endWrites` has nothing stored from then on: a
   * client repeats what is refused with a 503, so that it must not be stored later.
   */
  async restart(graceMs: number, endWrites: () => Promise<void>): Promise<void> {
    this.#state = 'restarting';
    await within(graceMs, () => this.#unanswered.size === 0);
    await endWrites();
    await within(STORED_MS, () => ![...this.#unanswered.keys()].some(mayStore));
    for (const [request, { answer, cutOff }] of this.#unanswered) {
      // Whether it is stored is open, and no answer says so.
      if (mayStore(request)) cutOff();
      else answer(restarting());
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
    return HttpResponse.json(healthOf(this.#token, url, process.pid, this.#state));
  }
}

/** What a process answers to a request for its health. */
export function healthOf(token: string, url: URL, pid: number, state: GatewayState): Health {
  return { pid, state, proof: healthProof(token, url.searchParams.get('nonce') ?? '') };
}

/** Anybody may ask for this one, so it proves nothing else. */
export function healthProof(token: string, nonce: string): string {
  return proofOf(token, `${HEALTH_PATH} ${nonce}`);
}

/** Shows that a process knows the token, without the token. */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url');
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

// The next request of the connection would come when the process is gone.
function restarting(): HttpResponse {
  return errorResponse(new ApiError('restarting'), { connection: 'close' });
}

const POLL_MS = 20;

/** How long the answer to a request may take once its changes are stored. */
const STORED_MS = 500;
