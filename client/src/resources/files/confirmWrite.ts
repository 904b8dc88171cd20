// Asks before anything is written to a deployment that is marked as production.
import * as vscode from 'vscode';
import type { Profile } from '../../deployments/profiles.ts';

export function isProduction(profile: Profile): boolean {
  return profile.kind === 'hosted' && profile.production;
}

/** Whether to go on. `doing` is a question without its end, such as `Save the monitor Errors`. */
export async function confirmWrite(
  profile: Profile,
  doing: string,
  button: string,
): Promise<boolean> {
  if (!isProduction(profile)) return true;
  const chosen = await vscode.window.showWarningMessage(
    `${doing} on ${profile.name}?`,
    { modal: true, detail: `${profile.name} is marked as production.` },
    button,
  );
  return chosen === button;
}
