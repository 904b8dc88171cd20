/** Handles all requests: finds the path's handler, checks the caller's access, and converts errors to responses. */
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../api/src/index.ts';
import { type Caller, Callers, type OwnTokens } from './access/callers.ts';
import { type ApiParts, respondApi } from './apiRequests.ts';
import { EngineError } from './engines/engineError.ts';
import { errorResponse } from './errorFormats.ts';
import { ApiError, newTraceId } from './errors.ts';
import { EventRequests } from './eventRequests.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import {
  exchangeCode,
  type Landing,
  OVERVIEW_PATH,
  respondOverview,
  SESSION_PATH,
} from './landing/landing.ts';
import { Allowances } from './license/allowances.ts';
import { BODY_PACE, type BodyPace } from './limits.ts';
import { ACCESS_PATH, answerAccess } from './primary/asked.ts';
import type { Primary } from './primary/primary.ts';
import type { Store } from './store/store.ts';
import { nowNanos } from './time.ts';

export interface AppOptions extends OwnTokens {
  readonly store: Store;
  /** Reports internal errors. The messages contain no secrets and no events. */
  readonly log: (message: string) => void;
  readonly fatal: () => void;
  /** Handles the paths that control this process, which aren't in the hosted service's API. */
  readonly ownPaths?: OwnPaths;
  readonly landing?: Landing;
  readonly pace?: BodyPace;
  /** The process that keeps the resources, if it isn't this one. */
  readonly primary?: Primary | undefined;
}

/** Handles a path that controls this process. Returns undefined for other paths. `now`: nanoseconds since 1970. */
export type OwnPaths = (
  path: string,
  request: HttpRequest,
  now: bigint,
) => Promise<HttpResponse> | HttpResponse | undefined;

export type App = (request: HttpRequest) => Promise<HttpResponse>;

/** Creates the handler of all requests, which never throws. */
export function createApp(options: AppOptions): App {
  const { store, pace } = options;
  const parts: Parts = {
    ...options,
    pace,
    callers: new Callers(store.resources, options, options.landing?.sessions, options.primary),
    allowances: new Allowances(store),
    events: new EventRequests(store, pace ?? BODY_PACE),
  };
  return async (request) => {
    const trace = newTraceId();
    const headers = { [RESPONSE_HEADERS.trace]: trace };
    parts.allowances.addRequestHeaders(headers);
    try {
      return await respond(request, parts, headers);
    } catch (error) {
      return errorResponse(asApiError(error, trace, request, options), headers, request);
    }
  };
}

interface Parts extends ApiParts, Pick<AppOptions, 'ownPaths' | 'landing' | 'primary'> {
  readonly callers: Callers;
}

interface Received {
  readonly request: HttpRequest;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly now: bigint;
}

type Response = Promise<HttpResponse | undefined> | HttpResponse | undefined;

type PathGroup = {
  /** A path, or a prefix followed by `/*`. */
  readonly path: string;
  /** All methods if absent. */
  readonly methods?: readonly string[];
} & (
  | {
      readonly access: 'anyone';
      readonly respond: (parts: Parts, received: Received) => Response;
    }
  | {
      /** `token`: callers with any valid token. `owner`: only callers with one of the two tokens in the data folder. */
      readonly access: 'token' | 'owner';
      readonly respond: (
        parts: Parts,
        received: Received & { readonly caller: Caller },
      ) => Response;
    }
);

/** The first matching group that returns a response is used. */
const pathGroups: readonly PathGroup[] = [
  {
    path: '/',
    methods: ['GET', 'HEAD'],
    access: 'anyone',
    respond: ({ landing }) => landing?.page?.(),
  },
  {
    path: SESSION_PATH,
    methods: ['POST'],
    access: 'anyone',
    respond: ({ landing, pace }, { request }) => landing && exchangeCode(landing, request, pace),
  },
  {
    path: OVERVIEW_PATH,
    methods: ['GET'],
    access: 'token',
    respond: ({ store }, { caller, request }) => respondOverview(store, caller, request.signal),
  },
  {
    path: ACCESS_PATH,
    methods: ['GET'],
    access: 'token',
    respond: (_, { caller }) => answerAccess(caller),
  },
  {
    path: '/_local/*',
    access: 'owner',
    respond: ({ ownPaths }, { request, url, now }) => ownPaths?.(url.pathname, request, now),
  },
  {
    path: '/*',
    access: 'token',
    respond: ({ primary, pace }, { request, url, caller }) =>
      primary?.forward(request, url, caller, pace),
  },
  { path: '/*', access: 'token', respond: respondApi },
];

const matches = ({ path, methods }: PathGroup, method: string, pathname: string): boolean =>
  (path.endsWith('/*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path) &&
  (methods === undefined || methods.includes(method));

async function respond(request: HttpRequest, parts: Parts, headers: Record<string, string>) {
  const url = new URL(request.url);
  const received = { request, url, headers, now: nowNanos() };
  const path = url.pathname;
  checkHost(request, url);
  let caller: Caller | undefined;
  for (const group of pathGroups) {
    if (!matches(group, request.method, path)) continue;
    if (group.access !== 'anyone') {
      caller ??= await parts.callers.identify(request.headers.get(REQUEST_HEADERS.authorization));
      if (group.access === 'owner' && !caller.isOwner)
        throw new ApiError('owner-token-needed', { path });
    }
    const response = await (group.access === 'anyone'
      ? group.respond(parts, received)
      : group.respond(parts, { ...received, caller: caller! }));
    if (response !== undefined) return response;
  }
  throw new ApiError('not-found', { path });
}

// Rejects requests for other hosts, because a foreign page can send requests here by DNS rebinding.
export function checkHost(request: HttpRequest, url: URL): void {
  const host = request.headers.get('host') ?? url.host;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    throw new ApiError('wrong-host', { host: JSON.stringify(host.slice(0, 100)) });
  }
}

function asApiError(error: unknown, trace: string, request: HttpRequest, options: AppOptions) {
  if (error instanceof ApiError) return error;
  // The client won't read the response, so any error will do.
  if (request.signal.aborted) return new ApiError('shutting-down');
  if (error instanceof EngineError) {
    if (error.kind === 'memory') return new ApiError('memory');
    if (error.kind === 'disk') {
      return new ApiError('disk-trouble', { problem: firstLine(error.message) });
    }
    if (error.kind === 'fatal') {
      options.log(`${trace}: ${error.message}`);
      options.fatal();
      return new ApiError('database-lost', { problem: firstLine(error.message) });
    }
  }
  // Report operating system errors, such as a full disk, to the client.
  if (isSystemError(error)) return new ApiError('disk-trouble', { problem: error.message });
  options.log(
    `${trace}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return new ApiError('internal', { trace });
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!.replace(/\.$/, '');
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
