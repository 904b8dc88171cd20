// Builds the message and buttons that replace the rows of a failed query.

import type { FailedTabState } from '../answers/tabs.ts';
import type { Profile } from '../deployments/profiles.ts';
import { type Action, adviceFor } from '../host/advice.ts';
import type { Failure } from '../service/failure.ts';

/** `again` is the command that repeats the query. `goTo` contains buttons that move the cursor to the error. */
export function failedState(
  failure: Failure,
  profile: Profile,
  again: Omit<Action, 'label'>,
  goTo: readonly Action[],
): FailedTabState {
  // Omit the wait from the message, because the button counts it down.
  const { retryAfterSeconds, ...known } = failure;
  const advice = adviceFor(known, {
    local: profile.kind === 'local',
    deployment: profile.name,
    again,
    needs: 'query access to the datasets in the query',
  });
  return {
    kind: 'failed',
    message: advice.message,
    ...(failure.code !== undefined && { code: failure.code }),
    ...(failure.traceId !== undefined && { traceId: failure.traceId }),
    actions: [
      ...goTo,
      ...advice.actions.map((action) =>
        action.command === again.command && retryAfterSeconds !== undefined
          ? { ...action, readyAt: Date.now() + retryAfterSeconds * 1_000 }
          : action,
      ),
    ],
  };
}
