// Commands that open dashboards and monitors as pages, and add results to dashboards.

import * as vscode from 'vscode';
import { dashboardPanel, monitorPanel } from '../boards/boardPanels.ts';
import type { Context } from '../context.ts';
import { loadedLater } from '../host/loadedLater.ts';
import { registerCommands } from '../ui/commands.ts';
import { registerPanelSerializer } from '../ui/editorParts.ts';

export function activate(context: Context): vscode.Disposable {
  const ui = loadedLater(async () => {
    const { BoardsUi } = await import('../boards/host/boardsUi.ts');
    return new BoardsUi(context);
  });
  const restore = async (panel: vscode.WebviewPanel, kept: unknown) =>
    (await ui.get()).restore(panel, kept);
  return vscode.Disposable.from(
    ui,
    registerPanelSerializer(dashboardPanel, restore),
    registerPanelSerializer(monitorPanel, restore),
    // The first two commands return the page's session, which tests use.
    registerCommands({
      'aplomb.openDashboardPage': async (target) => (await ui.get()).open('dashboard', target),
      'aplomb.openMonitorPage': async (target) => (await ui.get()).open('monitor', target),
      'aplomb.addToDashboard': async () => (await ui.get()).addToDashboard(),
    }),
  );
}
