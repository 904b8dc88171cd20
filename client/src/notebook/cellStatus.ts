// Shows a cell's time range and deployment in its status bar. A click changes them.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { keepsResults } from '../deployments/profiles.ts';
import { Disposables } from '../host/disposables.ts';
import { languageId } from '../host/languageId.ts';
import { onSettingChanged } from '../host/settings.ts';
import { Icon, withIcons } from '../ui/plain.ts';
import { cellStatusItem } from '../ui/statusItems.ts';
import { deploymentNameOf, type Effective, type Level, rangeOf } from './effective.ts';
import { keepsOutputs } from './metadata.ts';

const levels: Readonly<Record<Level, string>> = {
  line: 'set in the cell',
  cell: 'of this cell',
  notebook: 'of the notebook',
  window: 'of the window',
};

export class CellStatus extends Disposables implements vscode.NotebookCellStatusBarItemProvider {
  readonly #context: Context;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCellStatusBarItems = this.#changed.event;

  constructor(context: Context) {
    super();
    this.#context = context;
    const changed = (): void => this.#changed.fire();
    this.own(
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
    const item = (icon: string, title: string, { text, level }: Effective, command: string) =>
      cellStatusItem(
        withIcons`${new Icon(icon)} ${text}`,
        `${title} ${levels[level]}. Click to change it for this cell`,
        { title, command, arguments: [cell] },
      );
    const place = isLocal ? 'database' : 'cloud';
    return [
      ...(isLeftOut ? [leftOut()] : []),
      item('clock', 'Time range', range, 'aplomb.notebook.setCellTimeRange'),
      item(place, 'Deployment', deployment, 'aplomb.notebook.setCellDeployment'),
    ];
  }
}

/** Creates the note that this cell's output isn't saved, although other outputs in the notebook are. */
function leftOut(): vscode.NotebookCellStatusBarItem {
  return cellStatusItem(
    withIcons`$(shield) Output not saved`,
    'The results of this deployment are not kept on disk, so they are not saved with the notebook.',
  );
}
