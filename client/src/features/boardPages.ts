// The commands that open dashboards and monitors as pages, and add results to dashboards. The pages are loaded with
// the first of them.
import * as vscode from 'vscode';
import { dashboardPanel, monitorPanel } from '../boards/boardPanels.ts';
import type { BoardsUi } from '../boards/host/boardsUi.ts';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';
import { registerPanelSerializer } from '../ui/editorParts.ts';

export function activate(context: Context): vscode.Disposable {
  let loaded: Promise<BoardsUi> | undefined;
  const ui = (): Promise<BoardsUi> => {
    loaded ??= import('../boards/host/boardsUi.ts').then((module) => new module.BoardsUi(context));
    return loaded;
  };
  const restore = async (panel: vscode.WebviewPanel, kept: unknown) =>
    (await ui()).restore(panel, kept);
  // Both return the session of the page to the tests that run in VS Code.
  return vscode.Disposable.from(
    registerCommand('aplomb.openDashboardPage', async (target?: unknown) =>
      (await ui()).open('dashboard', target),
    ),
    registerCommand('aplomb.openMonitorPage', async (target?: unknown) =>
      (await ui()).open('monitor', target),
    ),
    registerCommand('aplomb.addToDashboard', async () => (await ui()).addToDashboard()),
    registerPanelSerializer(dashboardPanel, restore),
    registerPanelSerializer(monitorPanel, restore),
    new vscode.Disposable(() => void loaded?.then((pages) => pages.dispose())),
  );
}
