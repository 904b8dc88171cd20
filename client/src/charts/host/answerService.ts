// The deployment that an answer came from: what its charts ask goes there, whichever is active by then.
import { failed, type Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';

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
