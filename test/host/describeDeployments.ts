// Deployments of a suite, described in the settings of the window as hosted ones.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DeploymentSetting } from '../../client/src/deployments/profiles.ts';
import { context } from './editing.ts';
import { type OtherDeployment, type OtherOptions, startOther } from './otherDeployment.ts';

/** A second local deployment, from the bundles of the extension that is running. */
export function startAnother(kept?: OtherOptions): Promise<OtherDeployment> {
  const extension = vscode.extensions.getExtension('aplomb.aplomb');
  assert.ok(extension);
  return startOther(join(extension.extensionPath, 'dist'), kept);
}

/** Puts deployments into the settings of the user, each with a token for its addresses. */
export async function describeDeployments(
  entries: readonly (DeploymentSetting & { readonly token: string })[],
): Promise<void> {
  // Alone, the suite is the first to need it.
  await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
  const { credentials } = context().deployments;
  for (const { name, url, edgeUrl = url, token } of entries) {
    const origins = [...new Set([url, edgeUrl].map((one) => new URL(one as string).origin))];
    await credentials.store(origins, name, token);
  }
  const value = entries.map(({ token: _, ...entry }) => entry);
  await vscode.workspace
    .getConfiguration('aplomb')
    .update(
      'deployments',
      value.length === 0 ? undefined : value,
      vscode.ConfigurationTarget.Global,
    );
}
