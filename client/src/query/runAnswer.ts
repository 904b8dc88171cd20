// Runs a user's query for a results tab, a cell or a dashboard: gets the service and its token, begins the answer in
// the store, and sends the request.

import type { AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import { answerLimits, resultsTimeZone } from '../host/settings.ts';
import { ask, notRunFailure } from '../service/ask.ts';
import { type Failure, failed, type Outcome } from '../service/failure.ts';
import { orAborted } from '../service/orAborted.ts';
import type { Service } from '../service/service.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../time/timeRange.ts';
import { aboutAnswer } from './about.ts';
import { askAfterRateLimit, type Wait } from './afterRateLimit.ts';
import { type Query, tabQuery } from './query.ts';

interface AskedQuery {
  readonly query: Query;
  readonly profile: Profile;
  readonly range: TimeRange;
  /** Milliseconds since 1970. The range's relative bounds refer to this time. */
  readonly askedAt: number;
}

export interface Answered {
  readonly id: AnswerId;
  readonly head: AnswerHead;
  readonly service: Service;
}

type RunParts = Pick<Context, 'deployments' | 'answers' | 'log'>;

interface RunEvents {
  readonly onWait?: ((wait: Wait | undefined) => void) | undefined;
  /** Called when the answer's first rows can be shown before all have arrived. */
  readonly onFirstRows?: (answer: AnswerId) => void;
}

/** Runs a query, and once more after a short rate limit. Never rejects. Undefined if cancelled. */
export async function runAnswer(
  asked: AskedQuery,
  parts: RunParts,
  signal: AbortSignal,
  { onWait, onFirstRows }: RunEvents = {},
): Promise<Outcome<Answered> | undefined> {
  let { askedAt } = asked;
  const answer = await askAfterRateLimit(
    () => askOnce({ ...asked, askedAt }, parts, signal, onFirstRows),
    signal,
    (wait) => {
      askedAt = Date.now();
      onWait?.(wait);
    },
  ).catch((error: unknown) => {
    parts.log.error(`Running ${asked.query.title}`, error);
    return failed(notRunFailure(error, asked.profile.name));
  });
  if (signal.aborted) {
    if (answer?.ok) parts.answers.drop(answer.value.id);
    return undefined;
  }
  // Refresh the lists of a deployment that was unreachable before.
  if (answer?.ok) parts.deployments.retry();
  return answer;
}

async function askOnce(
  { query, profile, range, askedAt }: AskedQuery,
  { deployments, answers }: RunParts,
  signal: AbortSignal,
  onFirstRows: RunEvents['onFirstRows'],
): Promise<Outcome<Answered> | undefined> {
  const service = await orAborted(serviceOf(profile, deployments), signal);
  if (service === undefined || !service.ok) return service;
  const { text: apl, variables, datasets } = query;
  const zone = resultsTimeZone();
  const times = rangeParameters(range, askedAt, zone);
  const asked = {
    deployment: profile.name,
    ...times,
    rangeLabel: rangeLabel(range, zone),
    askedAt,
  };
  const pending = answers.begin(
    aboutAnswer(tabQuery(query), asked),
    onFirstRows && (() => onFirstRows(pending.id)),
  );
  const answer = await ask(
    // Request cursors, because loading more rows requires them.
    { apl, ...times, ...(variables && { variables }), includeCursor: true },
    {
      service: service.value,
      datasets,
      askPerson: true,
      ...answerLimits(),
      signal,
      // The hosted service doesn't document the members of this format.
      byRow: profile.kind === 'local',
    },
    pending,
  );
  if (!answer.ok) return answer;
  return { ...answer, value: { id: pending.id, head: answer.value, service: service.value } };
}

/** Returns a deployment's service. Asks for its token if it is missing. */
export async function serviceOf(
  profile: Profile,
  deployments: Deployments,
): Promise<Outcome<Service>> {
  await askForMissingToken(deployments, profile);
  return deployments.service(profile);
}

/** Returns a sentence with the failure's trace ID, for the log. */
export function traceNote(failure: Failure | undefined): string {
  return failure?.traceId === undefined ? '' : ` Trace ID ${failure.traceId}.`;
}
