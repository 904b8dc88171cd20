/**
 * Serves the landing page at `/`, the exchange of a link's code for a session, and the overview of the datasets. The
 * page and the exchange need no token.
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
  readonly page?: LandingPage;
}

export const SESSION_PATH = '/_local/page-session';
export const OVERVIEW_PATH = '/_local/datasets';

const CODE_BYTES_MAX = 1_024;

/** Exchanges a link's code for a session's token. Throws an ApiError if the code is not valid. */
export async function exchangeCode(
  { sessions }: Landing,
  request: HttpRequest,
  pace: BodyPace | undefined,
): Promise<HttpResponse> {
  // This content type triggers a CORS preflight, which the server rejects, so other sites can't exchange a code.
  if (request.headers.get('content-type') !== 'application/json') throw new ApiError('wrong-code');
  const body = (await readJson(request, CODE_BYTES_MAX, pace)) as { readonly code?: unknown };
  const code = body?.code;
  const token = typeof code === 'string' ? sessions.exchange(code) : undefined;
  if (token === undefined) throw new ApiError('wrong-code');
  return HttpResponse.json({ token });
}

/** Returns the overview of the datasets. Throws an ApiError if the token lacks a capability. */
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
