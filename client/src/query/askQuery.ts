// Asks a query of a person, in a tab of the results or below a cell: the service and its token, the answer that
// begins in the store, and the request.
import type { Failure, Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import { answerLimits, resultsTimeZone } from '../host/settings.ts';
import type { AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../time/timeRange.ts';
import { askAfterRateLimit, type Wait } from './afterRateLimit.ts';
import type { Answers } from './answers.ts';
import { ask } from './ask.ts';
import { orAborted } from './orAborted.ts';
import type { Query } from './query.ts';

interface AskedQuery {
  readonly query: Query;
  readonly profile: Profile;
  readonly range: TimeRange;
  /** Milliseconds since 1970; what relative ends of the range are relative to. */
  readonly askedAt: number;
}

export interface Answered {
  readonly id: AnswerId;
  readonly head: AnswerHead;
  readonly service: Service;
}

interface AskingParts {
  readonly deployments: Deployments;
  readonly answers: Answers;
}

/** Asks a query, and once more after a short rate limit. Undefined if it was cancelled before it was sent. */
export async function askQuery(
  asked: AskedQuery,
  parts: AskingParts,
  signal: AbortSignal,
  onWait: (wait: Wait | undefined) => void = () => undefined,
): Promise<Outcome<Answered> | undefined> {
  let { askedAt } = asked;
  return askAfterRateLimit(
    () => askOnce({ ...asked, askedAt }, parts, signal),
    signal,
    (wait) => {
      askedAt = Date.now();
      onWait(wait);
    },
  );
}

async function askOnce(
  { query, profile, range, askedAt }: AskedQuery,
  { deployments, answers }: AskingParts,
  signal: AbortSignal,
): Promise<Outcome<Answered> | undefined> {
  const service = await orAborted(serviceOf(profile, deployments), signal);
  if (service === undefined || !service.ok) return service;
  const { text: apl, title, variables, place, statesColumnOrder, datasets } = query;
  const zone = resultsTimeZone();
  const times = rangeParameters(range, askedAt, zone);
  const pending = answers.begin({
    title,
    query: apl,
    ...(place && { document: place.uri.toString() }),
    deployment: profile.name,
    ...times,
    rangeLabel: rangeLabel(range, zone),
    ...(datasets && { datasets }),
    ...(variables && { variables }),
    askedAt,
    statesColumnOrder,
  });
  const answer = await ask(
    // The cursors are what more rows are asked for with.
    { apl, ...times, ...(variables && { variables }), includeCursor: true },
    {
      service: service.value,
      datasets,
      askPerson: true,
      ...answerLimits(),
      signal,
    },
    pending,
  );
  if (!answer.ok) return answer;
  return { ...answer, value: { id: pending.id, head: answer.value, service: service.value } };
}

/** The service of a deployment; asks for its token where there is none. */
export async function serviceOf(
  profile: Profile,
  deployments: Deployments,
): Promise<Outcome<Service>> {
  await askForMissingToken(deployments, profile);
  return deployments.service(profile);
}

/** Reports an unexpected error, such as an unreadable secret storage. */
export function unexpectedFailure(error: unknown, { name }: Profile): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'unreadable', host: name, message: `The query was not run: ${why}` };
}

/** The trace ID of a failure, to follow its message in the log. */
export function traceNote(failure: Failure | undefined): string {
  return failure?.traceId === undefined ? '' : ` Trace ID ${failure.traceId}.`;
}
