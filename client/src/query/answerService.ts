// Finds an answer's deployment. Further requests about the answer go there, even if another deployment is active.

import type { ResultTab } from '../answers/tabs.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import { failed, type Outcome } from '../service/failure.ts';
import { orAborted } from '../service/orAborted.ts';
import type { Service } from '../service/service.ts';

export function answerProfile(deployments: Deployments, deployment: string): Outcome<Profile> {
  const value = deployments.find(deployment);
  if (value !== undefined) return { ok: true, value };
  const message = `The deployment ${deployment} is no longer in the settings.`;
  return failed({ kind: 'refused', host: deployment, message });
}

/** Returns the service of the named deployment, or a failure once the signal is aborted. */
export async function answerService(
  deployments: Deployments,
  deployment: string,
  signal?: AbortSignal,
): Promise<Outcome<Service>> {
  const profile = answerProfile(deployments, deployment);
  if (!profile.ok) return profile;
  const service = deployments.service(profile.value);
  const message = 'The request was cancelled.';
  return (
    (await (signal ? orAborted(service, signal) : service)) ??
    failed({ kind: 'cancelled', host: deployment, message })
  );
}

/** Sends a tab's request to a named deployment as a cancellable activity. Returns undefined if it was cancelled. */
export type AskInTab = <T>(
  tab: ResultTab,
  progress: string,
  signal: AbortSignal,
  deployment: string,
  work: (asking: {
    readonly service: Service;
    readonly signal: AbortSignal;
  }) => Promise<Outcome<T>>,
) => Promise<Outcome<T> | undefined>;

/** Returns a function that sends requests directly, without listing them as activities. */
export function askUnlisted(deployments: Deployments): AskInTab {
  return async (_tab, _progress, signal, deployment, work) => {
    const service = await answerService(deployments, deployment);
    return service.ok ? work({ service: service.value, signal }) : service;
  };
}
