// The active deployment in the status bar; one marked as production stands on the warning colour. What is
// wrong with the settings about deployments is told here too.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ deployments, log }: Context): vscode.Disposable {
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
  let told = '';
  /** Says once of each fault in the settings, which would otherwise just be missing from the list. */
  const tellProblems = (): void => {
    const problems = deployments.problems.join('\n');
    if (problems !== '' && problems !== told) {
      log.warn(problems);
      const openSettings = 'Open Settings';
      void vscode.window.showWarningMessage(problems, openSettings).then((chosen) => {
        if (chosen === undefined) return undefined;
        const query = 'aplomb.deployments';
        return vscode.commands.executeCommand('workbench.action.openSettings', query);
      });
    }
    told = problems;
  };
  show();
  tellProblems();
  return vscode.Disposable.from(
    item,
    deployments.onDidChange(show),
    deployments.onDidChange(tellProblems),
    deployments.local.onDidChange(show),
  );
}
