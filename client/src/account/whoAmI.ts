// The Who Am I page: a deployment's user or token, with its permissions, organization, limits and usage.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { attemptOn } from '../deployments/askDeployment.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Profile } from '../deployments/profiles.ts';
import { showFailure } from '../host/notify.ts';
import { createWebviewPanel } from '../ui/editorParts.ts';
import { showCancellable } from '../ui/progress.ts';
import { fetchIdentity } from './identity.ts';
import { accountPage, pageCommands } from './page.ts';

const panels = new Map<string, vscode.WebviewPanel>();

/** Reads and shows a deployment's page; by default, the active deployment's page. */
export async function whoAmI({ deployments }: Context, name?: string): Promise<void> {
  const profile = (name !== undefined && deployments.find(name)) || deployments.active;
  await askForMissingToken(deployments, profile);
  const service = await deployments.service(profile);
  const doing = `Cannot read your account on ${profile.name}`;
  if (!service.ok) return showFailure(doing, service.failure, attemptOn(profile));
  const { connection } = service.value;
  const token = await connection.token(new URL(connection.general).origin);
  const identity = await showCancellable(`Reading the account on ${profile.name}`, (signal) =>
    fetchIdentity(service.value, token, signal),
  );
  if (identity === undefined) return;
  // Omits the token's record, because the token of the local deployment has none and does not expire.
  const { ownRecord: _, ...others } = identity;
  const shown = profile.kind === 'local' ? others : identity;
  const panel = panels.get(profile.name) ?? newPanel(profile);
  const nonce = randomBytes(18).toString('base64');
  panel.webview.html = accountPage({ profile, identity: shown, readAt: Date.now(), nonce });
  panel.reveal();
}

function newPanel({ name }: Profile): vscode.WebviewPanel {
  const panel = createWebviewPanel(
    'aplomb.account',
    `Who Am I: ${name}`,
    vscode.ViewColumn.Active,
    { enableScripts: false, enableCommandUris: pageCommands, localResourceRoots: [] },
  );
  panels.set(name, panel);
  panel.onDidDispose(() => panels.delete(name));
  return panel;
}
