// The status bar item with the deployment of the file or window. It warns about production, and reports invalid
// settings.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { deploymentStatedBy } from '../deployments/fileDeployment.ts';
import { isProduction, type Profile, whereRuns } from '../deployments/profiles.ts';
import { onActiveTextChanged } from '../host/activeText.ts';
import { showWithActions } from '../host/notify.ts';
import { schemaText } from '../schema/freshness.ts';
import { showWarningMessage } from '../ui/notifications.ts';
import { Icon, withIcons } from '../ui/plain.ts';
import { createStatusBarItem } from '../ui/statusItems.ts';

export function activate({ deployments, schema, log }: Context): vscode.Disposable {
  const item = createStatusBarItem('aplomb.deployment', vscode.StatusBarAlignment.Left, 10);
  item.name = 'APL Deployment';
  item.command = 'aplomb.selectDeployment';
  const show = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const named = document && deploymentStatedBy(document);
    const profile = named === undefined ? deployments.active : deployments.find(named);
    const isMarked = profile !== undefined && isProduction(profile);
    if (profile === undefined) {
      item.text = withIcons`$(warning) Unknown deployment`;
      item.tooltip = `This file names the deployment '${named}', which is not in the settings. Click to select another one`;
    } else {
      // Show a warning icon, because high-contrast themes have no warning background.
      const ofWindow = profile.kind === 'hosted' ? 'cloud' : 'database';
      const icon = new Icon(named === undefined ? ofWindow : 'file');
      item.text = isMarked
        ? withIcons`${icon} ${profile.name} $(warning)`
        : withIcons`${icon} ${profile.name}`;
      item.tooltip = tooltip(profile, named !== undefined);
    }
    item.backgroundColor =
      isMarked || profile === undefined
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    item.accessibilityInformation = {
      label: `APL deployment: ${profile?.name ?? 'unknown'}${isMarked ? ', production' : ''}`,
    };
    item.show();
  };
  const tooltip = (profile: Profile, isOfFile: boolean): string => {
    const whose = isOfFile ? 'The queries of this file' : 'Queries';
    const where =
      profile.kind === 'hosted'
        ? `${whose} run on ${profile.name} (${whereRuns(profile)})`
        : `${whose} run on this machine (local deployment, ${deployments.local.state})`;
    const production = isProduction(profile)
      ? '\nMarked as production: you are asked before anything is written'
      : '';
    const state = schema.stateOf(profile.name);
    const isOld = state.kind === 'failed' && state.earlier !== undefined;
    const old = isOld ? `\n${schemaText(profile.name, state)}` : '';
    return `${where}${production}${old}\nClick to select a deployment`;
  };
  let reported = '';
  /** Reports invalid settings when they change, because the list of deployments omits them. */
  const reportProblems = (): void => {
    const problems = deployments.problems.join('\n');
    if (problems !== '' && problems !== reported) {
      log.warn(problems);
      const command = 'workbench.action.openSettings';
      const open = { label: 'Open Settings', command, arguments: ['aplomb.deployments'] };
      showWithActions(problems, [open], showWarningMessage);
    }
    reported = problems;
  };
  show();
  reportProblems();
  return vscode.Disposable.from(
    item,
    deployments.onDidChange(show),
    schema.onDidChangeState(show),
    deployments.onDidChange(reportProblems),
    onActiveTextChanged(show),
    deployments.local.onDidChange(show),
  );
}
