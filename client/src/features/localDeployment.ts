// Commands to start, stop and restart the local deployment, rotate its tokens, open its folder, and delete its data.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { showFailure } from '../host/notify.ts';
import { registerCommands } from '../ui/commands.ts';
import { ask, confirm } from '../ui/notifications.ts';
import { showProgress } from '../ui/progress.ts';
import { errorMessage } from '../words/errors.ts';

export function activate(context: Context): vscode.Disposable {
  const { deployments } = context;
  const { local } = deployments;

  const step = async (title: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      const location = vscode.ProgressLocation.Window;
      await showProgress({ location, title }, run);
      return true;
    } catch (error) {
      const message = errorMessage(error);
      const failure = { kind: 'unreachable', host: 'Local', message } as const;
      showFailure('The local deployment reported an error', failure, { local: true });
      return false;
    }
  };

  return registerCommands({
    'aplomb.startLocal': () => step('Starting the local deployment', () => local.address()),
    'aplomb.stopLocal': () => step('Stopping the local deployment', () => local.stop()),
    'aplomb.restartLocal': () => step('Restarting the local deployment', () => local.restart()),
    'aplomb.rotateLocalTokens': async () => {
      const [own, all] = ['Rotate Tokens', 'Rotate and Delete Created Tokens'];
      const answer = await ask(
        'Replace the tokens of the local deployment?',
        'The API token and the personal token are replaced, and the deployment restarts. Programs that use them need the new ones from the data folder, and links to the landing page no longer work. Tokens that were created on the deployment stay valid unless you delete them.',
        own,
        all,
      );
      if (answer === undefined) return false;
      return step('Rotating tokens', () => local.rotateTokens(answer === all));
    },
    'aplomb.openLocalFolder': async () => {
      const folder = vscode.Uri.file(local.dataDirectory);
      await vscode.workspace.fs.createDirectory(folder);
      await vscode.commands.executeCommand('revealFileInOS', folder);
    },
    'aplomb.deleteLocalData': async () => {
      const isConfirmed = await confirm(
        'Delete all datasets, monitors, dashboards, views and annotations of the local deployment?',
        `The data is in ${local.dataDirectory}. This cannot be undone.`,
        'Delete All Local Data',
      );
      if (!isConfirmed) return false;
      const done = await step('Deleting local data', () => local.deleteData());
      deployments.refresh();
      return done;
    },
  });
}
