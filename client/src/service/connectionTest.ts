// Tests a deployment's addresses and token, and describes problems and remedies. Stores nothing and reads very little.
import { EDGE_DEPLOYMENTS } from '../../../api/src/plain.ts';
import type { Failure } from './failure.ts';
import type { HttpAnswer } from './http.ts';
import { Service } from './service.ts';
import {
  accessInWords,
  fetchTokenAccess,
  isGranted,
  type TokenAccess,
  tryQuery,
} from './tokenAccess.ts';

export type Remedy = 'token' | 'address' | 'again' | 'proxy';

export interface ConnectionReport {
  readonly access?: TokenAccess;
  readonly problems: readonly ConnectionProblem[];
  /** The region in which the token works; absent if the region is correct or none works. */
  readonly otherRegion?: (typeof EDGE_DEPLOYMENTS)[number];
}

export interface ConnectionProblem {
  readonly message: string;
  /** The reason, if known, and the remedy. */
  readonly advice: string;
  readonly remedy: Remedy;
}

/** The clock difference in milliseconds below which no problem is reported. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** Tests a connection. Returns undefined if cancelled. */
export async function testConnection(
  asked: Service,
  token: string,
  signal: AbortSignal,
  now: () => number = Date.now,
): Promise<ConnectionReport | undefined> {
  let clockAheadMs: number | undefined;
  const onAnswer = (answer: HttpAnswer): void => {
    const sent = Date.parse(answer.header('date') ?? '');
    if (!Number.isNaN(sent)) clockAheadMs ??= now() - sent;
  };
  const service = new Service({ ...asked.connection, onAnswer });
  const answer = await fetchTokenAccess(service, token, signal);
  if (signal.aborted) return undefined;
  const clock = clockProblem(clockAheadMs);
  const isWrongHere = answer.ok ? !isGranted(answer.value.query) : isRejection(answer.failure);
  const otherRegion = isWrongHere ? await regionThatAnswers(service, token, signal) : undefined;
  if (signal.aborted) return undefined;
  // Test the edge address unless the failure's message already names an address.
  const mayBeEdge = answer.ok || answer.failure.status === 404;
  const edge = mayBeEdge && !otherRegion ? await edgeProblem(service, signal) : undefined;
  if (signal.aborted) return undefined;
  if (edge !== undefined) return { ...(answer.ok && { access: answer.value }), problems: [edge] };
  const ownProblem = answer.ok ? accessProblem(answer.value) : problemOf(answer.failure);
  const problem = otherRegion
    ? {
        message: `The token is rejected in this region, but works in ${otherRegion.name}.`,
        advice: `Select ${otherRegion.name}.`,
        remedy: 'address' as const,
      }
    : ownProblem;
  const problems = [problem, clock].filter((found) => found !== undefined);
  // Show the clock's problem first, because a wrong clock may have caused the rejection.
  const isClockFirst = !answer.ok && !otherRegion && isRejection(answer.failure);
  return {
    ...(answer.ok && { access: answer.value }),
    problems: isClockFirst ? problems.toReversed() : problems,
    ...(otherRegion && { otherRegion }),
  };
}

/** Returns whether a failure shows that an address isn't an edge deployment. A refused permission doesn't show that. */
const notAnEdge = ({ kind, status, byService }: Failure): boolean =>
  ['unreachable', 'timeout', 'certificate', 'redirected', 'unreadable'].includes(kind) ||
  (status === 404 && byService !== true);

/** Tests a separate edge address. The token test doesn't reach it if all datasets are stored elsewhere. */
async function edgeProblem(
  { connection }: Service,
  signal: AbortSignal,
): Promise<ConnectionProblem | undefined> {
  const { general, edge } = connection;
  if (edge === general || EDGE_DEPLOYMENTS.some(({ url }) => url === edge)) return undefined;
  const there = new Service({ ...connection, general: edge });
  const answer = await tryQuery(there, signal);
  if (answer.ok || !notAnEdge(answer.failure)) return undefined;
  const { message, advice } = problemOf(answer.failure);
  return {
    message: `There is no edge deployment at ${edge}.`,
    advice: [message, advice].filter(Boolean).join(' '),
    remedy: 'address',
  };
}

function accessProblem(access: TokenAccess): ConnectionProblem | undefined {
  const { query, ingest } = access;
  if (isGranted(query)) return undefined;
  const todo =
    query === 'unknown'
      ? 'If queries fail, use a token with query access to the datasets that you need.'
      : ingest === 'no'
        ? 'Use a token with query access to the datasets that you need.'
        : 'The token can only send events. To query, use a token with query access.';
  return {
    message:
      query === 'unknown'
        ? 'The token may not be able to query.'
        : 'The token is valid, but cannot query.',
    advice: `${accessInWords(access)} ${todo}`,
    remedy: 'token',
  };
}

/** Finds another region of the hosted service in which the token may query. */
async function regionThatAnswers(
  { connection }: Service,
  token: string,
  signal: AbortSignal,
): Promise<(typeof EDGE_DEPLOYMENTS)[number] | undefined> {
  if (!EDGE_DEPLOYMENTS.some(({ url }) => url === connection.edge)) return undefined;
  for (const edge of EDGE_DEPLOYMENTS) {
    if (edge.url === connection.edge) continue;
    const there = new Service({ ...connection, edge: edge.url });
    const access = await fetchTokenAccess(there, token, signal);
    if (access.ok && isGranted(access.value.query)) return edge;
  }
  return undefined;
}

function isRejection({ status }: Failure): boolean {
  return status === 401 || status === 403;
}

/** Maps a failed request to the message, advice and remedy to show. The first matching row applies. */
const failureRows: readonly {
  readonly fits: (failure: Failure) => boolean;
  readonly message?: string;
  readonly advice?: string;
  readonly remedy: Remedy;
}[] = [
  {
    fits: ({ status }) => status === 407,
    message: 'The proxy asks for a user name and a password.',
    advice: 'Set them in http.proxy.',
    remedy: 'proxy',
  },
  {
    fits: ({ code }) => code === 'UND_ERR_PRX_CONN' || code === 'UND_ERR_ABORTED',
    message: 'The proxy of this machine does not let the request through.',
    advice: 'Check http.proxy, or connect without the proxy.',
    remedy: 'proxy',
  },
  {
    fits: ({ kind, code = '' }) => kind === 'certificate' && code.includes('ALTNAME'),
    remedy: 'address',
  },
  {
    fits: ({ kind, code = '' }) =>
      kind === 'certificate' && /EXPIRED|NOT_YET|DEPTH_ZERO/.test(code),
    remedy: 'again',
  },
  { fits: ({ kind }) => kind === 'certificate', remedy: 'proxy' },
  {
    fits: ({ kind }) => kind === 'timeout',
    advice: 'A firewall or VPN may be blocking the connection. Check the address and the proxy.',
    remedy: 'again',
  },
  {
    fits: ({ kind }) => ['unreachable', 'redirected', 'routing'].includes(kind),
    remedy: 'address',
  },
  {
    fits: ({ kind }) => kind === 'unreadable',
    advice: 'Check that the address is that of the API and not that of the web console.',
    remedy: 'address',
  },
  {
    fits: ({ status }) => status === 401,
    message: 'The token is not valid, was deleted or has expired.',
    advice: 'Create another one, or check that it is for this address.',
    remedy: 'token',
  },
  {
    fits: ({ status }) => status === 403,
    advice: 'Use a token with query access, or check the organization.',
    remedy: 'token',
  },
  { fits: ({ kind }) => kind === 'token', remedy: 'token' },
  {
    fits: ({ status }) => status === 404,
    advice: 'Check that the address is that of the API.',
    remedy: 'address',
  },
];

function problemOf(failure: Failure): ConnectionProblem {
  const row = failureRows.find(({ fits }) => fits(failure));
  const wait = failure.retryAfterSeconds;
  const later = wait === undefined ? 'Try again later.' : `Try again in ${wait} s.`;
  const [first, rest] = firstSentence(row?.message ?? failure.message);
  return {
    message: first,
    advice: [rest, row ? row.advice : later].filter(Boolean).join(' '),
    remedy: row?.remedy ?? 'again',
  };
}

function firstSentence(text: string): readonly [string, string] {
  const end = text.search(/\. [A-Z]/) + 1;
  return end === 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

function clockProblem(aheadMs: number | undefined): ConnectionProblem | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return undefined;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const off = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return {
    message: `The clock of this machine is ${off} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the service.`,
    advice: 'Set the clock. Until then, tokens can be rejected and time ranges are wrong.',
    remedy: 'again',
  };
}
