/**
 * The landing page at `/` and its two paths in addition to the API: one exchanges the code of its link for a
 * session, one says how large the datasets are. The page and the exchange are answered without a token.
 */
import type { Caller } from '../access/callers.ts';
import type { PageSessions } from '../access/pageSessions.ts';
import { readJson } from '../body.ts';
import { ApiError } from '../errors.ts';
import { type HttpRequest, HttpResponse } from '../http.ts';
import type { BodyPace } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { overviewFor } from './overview.ts';
import type { LandingPage } from './page.ts';

export interface Landing {
  readonly sessions: PageSessions;
  /** Absent where the page has not been built. */
  readonly page?: LandingPage;
}

const SESSION_PATH = '/_local/page-session';
const OVERVIEW_PATH = '/_local/datasets';

const CODE_BYTES_MAX = 1_024;

/** The answer to what needs no token: the page itself, and the exchange of a code. Throws an ApiError for a wrong code. */
export async function respondVisitor(
  landing: Landing | undefined,
  request: HttpRequest,
  path: string,
  pace: BodyPace | undefined,
): Promise<HttpResponse | undefined> {
  if (landing === undefined) return undefined;
  const { method } = request;
  if (path === '/' && (method === 'GET' || method === 'HEAD')) return landing.page?.();
  if (path !== SESSION_PATH || method !== 'POST') return undefined;
  // A page elsewhere cannot send this type without asking first, which is never allowed.
  if (request.headers.get('content-type') !== 'application/json') throw new ApiError('wrong-code');
  const body = (await readJson(request, CODE_BYTES_MAX, pace)) as { readonly code?: unknown };
  const code = body?.code;
  const token = typeof code === 'string' ? landing.sessions.exchange(code) : undefined;
  if (token === undefined) throw new ApiError('wrong-code');
  return HttpResponse.json({ token });
}

/** The answer to what needs a token, but not one of the deployment's own. Throws an ApiError for one that lacks a capability. */
export async function respondMember(
  store: Store,
  caller: Caller,
  { method, signal }: HttpRequest,
  path: string,
): Promise<HttpResponse | undefined> {
  if (path !== OVERVIEW_PATH || method !== 'GET') return undefined;
  return HttpResponse.json(await overviewFor(store, caller, signal));
}

/** The address of the page, with a code where one is given. */
export function pageAddress(url: string, code?: string): string {
  return code === undefined ? `${url}/` : `${url}/#code=${code}`;
}
