// The deployment that an answer came from: what its charts ask goes there, whichever is active by then.
import { failed, type Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';
import type { AskInTab } from './earlierAnswers.ts';

export function answerProfile(deployments: Deployments, deployment: string): Outcome<Profile> {
  const value = deployments.find(deployment);
  if (value !== undefined) return { ok: true, value };
  const message = `The deployment ${deployment} is no longer in the settings.`;
  return failed({ kind: 'refused', host: deployment, message });
}

export async function answerService(
  deployments: Deployments,
  deployment: string,
): Promise<Outcome<Service>> {
  const profile = answerProfile(deployments, deployment);
  return profile.ok ? deployments.service(profile.value) : profile;
}

/** Asks the deployment of an answer directly, without listing what is asked as an activity. */
export function askDeployment(deployments: Deployments): AskInTab {
  return async (_tab, _progress, signal, deployment, work) => {
    const service = await answerService(deployments, deployment);
    return service.ok ? work({ service: service.value, signal }) : service;
  };
}
