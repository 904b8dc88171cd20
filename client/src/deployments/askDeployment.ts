// Calls a deployment for a user's command, asks for a missing token, and shows failures.

import type { Attempt } from '../host/advice.ts';
import { showFailure } from '../host/notify.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { askForMissingToken } from './askToken.ts';
import type { Deployments } from './deployments.ts';
import type { Profile } from './profiles.ts';

/** Returns the result of `work`. After a failure, shows it with the sentence `problem` and returns undefined. */
export async function askDeployment<T>(
  deployments: Deployments,
  profile: Profile,
  { problem, needs }: { readonly problem: string; readonly needs: string },
  work: (service: Service) => Promise<Outcome<T>>,
): Promise<T | undefined> {
  await askForMissingToken(deployments, profile);
  const answer = await deployments.call(work, profile);
  if (answer.ok) return answer.value;
  return showFailure(problem, answer.failure, { ...attemptOn(profile), needs });
}

/** Returns the deployment's part of an attempt, for advice about how to fix its failure. */
export function attemptOn({ kind, name }: Profile): Pick<Attempt, 'local' | 'deployment'> {
  return { local: kind === 'local', deployment: name };
}
