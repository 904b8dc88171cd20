// Changes entries of the deployments setting at the level where each entry is defined.

import { deploymentLayers, writeDeployments } from '../deployments/deploymentSettings.ts';
import type { DeploymentSetting, HostedProfile } from '../deployments/profiles.ts';

export async function rewriteEntry(
  profile: HostedProfile,
  change: (entry: DeploymentSetting) => DeploymentSetting | undefined,
): Promise<void> {
  await writeEntries(profile.from, (entries) =>
    entries.flatMap((entry) => (entry?.name === profile.name ? (change(entry) ?? []) : entry)),
  );
}

export async function writeEntries(
  level: 'user' | 'workspace',
  change: (entries: readonly DeploymentSetting[]) => readonly DeploymentSetting[],
): Promise<void> {
  const now = deploymentLayers()[level];
  await writeDeployments(level, change(Array.isArray(now) ? now : []));
}
