// Shows the time range and the deployment of a cell in its status bar, where a click changes them.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { keepsResults } from '../deployments/profiles.ts';
import { languageId } from '../languageClient.ts';
import { onSettingChanged } from '../settings.ts';
import { deploymentNameOf, type Effective, type Level, rangeOf } from './effective.ts';
import { keepsOutputs } from './metadata.ts';

const levels: Readonly<Record<Level, string>> = {
  line: 'stated in the cell',
  cell: 'of this cell',
  notebook: 'of the notebook',
  window: 'of the window',
};

export class CellStatus implements vscode.NotebookCellStatusBarItemProvider, vscode.Disposable {
  readonly #context: Context;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCellStatusBarItems = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(context: Context) {
    this.#context = context;
    const changed = (): void => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      context.timeRange.onDidChange(changed),
      context.deployments.onDidChange(changed),
      onSettingChanged(['results.timeZone'], changed),
      vscode.workspace.onDidChangeNotebookDocument(({ metadata, cellChanges }) => {
        if (metadata || cellChanges.some((change) => change.metadata || change.document)) changed();
      }),
    );
  }

  provideCellStatusBarItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    if (cell.document.languageId !== languageId) return [];
    const { timeRange, deployments } = this.#context;
    const range = rangeOf(cell, timeRange);
    const deployment = deploymentNameOf(cell, deployments);
    const profile = deployments.find(deployment.text);
    const isLocal = profile?.kind === 'local';
    const isLeftOut = keepsOutputs(cell.notebook.metadata) && profile && !keepsResults(profile);
    return [
      ...(isLeftOut ? [leftOut()] : []),
      item(`$(clock) ${range.text}`, 'Time range', range, 'aplomb.notebook.setCellTimeRange', cell),
      item(
        `$(${isLocal ? 'database' : 'cloud'}) ${deployment.text}`,
        'Deployment',
        deployment,
        'aplomb.notebook.setCellDeployment',
        cell,
      ),
    ];
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** Says that the output of the cell is not saved, although that of others in the notebook is. */
function leftOut(): vscode.NotebookCellStatusBarItem {
  const shown = new vscode.NotebookCellStatusBarItem(
    '$(shield) Output not saved',
    vscode.NotebookCellStatusBarAlignment.Right,
  );
  shown.tooltip =
    'The results of this deployment are not kept on disk, so they are not saved with the notebook.';
  return shown;
}

function item(
  text: string,
  what: string,
  { level }: Effective,
  command: string,
  cell: vscode.NotebookCell,
): vscode.NotebookCellStatusBarItem {
  const shown = new vscode.NotebookCellStatusBarItem(
    text,
    vscode.NotebookCellStatusBarAlignment.Right,
  );
  shown.tooltip = `${what} ${levels[level]}. Click to change it for this cell`;
  shown.command = { title: what, command, arguments: [cell] };
  return shown;
}
