// The active deployment in the status bar, with a warning background if it is marked as production. Also
// reports invalid settings of deployments.
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
      ? `Queries run on ${profile.edge}. Click to select a deployment`
      : `Queries run on this machine (local deployment, ${deployments.local.state}). Click to select a deployment`;
    item.backgroundColor =
      hosted && profile.production
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    item.show();
  };
  let reported = '';
  /** Reports each invalid entry once, because it is missing from the list of deployments. */
  const reportProblems = (): void => {
    const problems = deployments.problems.join('\n');
    if (problems !== '' && problems !== reported) {
      log.warn(problems);
      const openSettings = 'Open Settings';
      void vscode.window.showWarningMessage(problems, openSettings).then((chosen) => {
        if (chosen === undefined) return undefined;
        const query = 'aplomb.deployments';
        return vscode.commands.executeCommand('workbench.action.openSettings', query);
      });
    }
    reported = problems;
  };
  show();
  reportProblems();
  return vscode.Disposable.from(
    item,
    deployments.onDidChange(show),
    deployments.onDidChange(reportProblems),
    deployments.local.onDidChange(show),
  );
}
