/**
 * Serves the landing page at `/` and its two paths outside the API: one exchanges the code in a link for a session, the
 * other returns an overview of the datasets. The page and the exchange need no token.
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
  /** Absent if the page has not been built. */
  readonly page?: LandingPage;
}

export const SESSION_PATH = '/_local/page-session';
export const OVERVIEW_PATH = '/_local/datasets';

const CODE_BYTES_MAX = 1_024;

/** Exchanges the code of a link for a session's token. Throws an ApiError for a wrong code. */
export async function exchangeCode(
  { sessions }: Landing,
  request: HttpRequest,
  pace: BodyPace | undefined,
): Promise<HttpResponse> {
  // Browsers send this content type to another origin only after a preflight request, which is never allowed, so other
  // pages can't use a code.
  if (request.headers.get('content-type') !== 'application/json') throw new ApiError('wrong-code');
  const body = (await readJson(request, CODE_BYTES_MAX, pace)) as { readonly code?: unknown };
  const code = body?.code;
  const token = typeof code === 'string' ? sessions.exchange(code) : undefined;
  if (token === undefined) throw new ApiError('wrong-code');
  return HttpResponse.json({ token });
}

/** Returns an overview of the datasets that the caller may read. Throws an ApiError if a capability is missing. */
export async function respondOverview(
  store: Store,
  caller: Caller,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return HttpResponse.json(await overviewFor(store, caller, signal));
}

export function pageAddress(url: string, code?: string): string {
  return code === undefined ? `${url}/` : `${url}/#code=${code}`;
}
