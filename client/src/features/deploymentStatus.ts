// The active deployment in the status bar; one marked as production stands on the warning colour.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ deployments }: Context): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'aplomb.deployment',
    vscode.StatusBarAlignment.Left,
    10,
  );
  item.name = 'APL Deployment';
  item.command = 'aplomb.selectDeployment';
  const show = (): void => {
    const profile = deployments.active;
    const hosted = profile.kind === 'hosted';
    item.text = hosted ? `$(cloud) ${profile.name}` : `$(database) ${profile.name}`;
    item.tooltip = hosted
      ? `Queries go to ${profile.edge}. Click to select another deployment.`
      : `Queries go to the deployment on this machine (${deployments.local.state}). Click to select another deployment.`;
    item.backgroundColor =
      hosted && profile.production
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    deployments.onDidChange(show),
    deployments.local.onDidChange(show),
  );
}
