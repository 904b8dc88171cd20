// Commands for the visible results, executed by the page, and Switch between Editor and Results.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { type MenuPlace, type PageAction, pageActions } from '../results/pageContent.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/notifications.ts';

/** The actions that have an `aplomb.results.` command. Export isn't one: its command is `aplomb.exportResults`. */
const menuActions = pageActions.filter((action) => action !== 'exportResult');

/** Actions that show an input in the view, so the view needs the focus. */
const typing: ReadonlySet<PageAction> = new Set([
  'find',
  'renameTab',
  'filterColumn',
  'chooseColumns',
]);

export function activate({ results, tabs, runner }: Context): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('aplomb.switchFocus', async () => {
      if (!results.hasKeyboard) return results.focus();
      const [editor] = vscode.window.visibleTextEditors;
      if (results.isEditor && editor)
        return vscode.window.showTextDocument(editor.document, editor.viewColumn);
      if (results.isEditor)
        return vscode.commands.executeCommand('workbench.action.openPreviousRecentlyUsedEditor');
      return vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    }),
    registerCommand('aplomb.results.goToQuery', async (context?: unknown) => {
      const tab = menuPlace(context).tab ?? tabs.active?.id;
      const query = tab === undefined ? undefined : runner.queryOf(tab);
      if (query === undefined) return;
      if (query.place === undefined)
        return void showInformationMessage('The query of this result is no longer in a document.');
      const { uri, range } = query.place;
      await vscode.window.showTextDocument(uri, { selection: range });
    }),
    ...menuActions.map((action) =>
      registerCommand(`aplomb.results.${action}`, async (context?: unknown) => {
        // The palette and key bindings pass no cell, so the page uses the active cell. The focus returns to the view
        // after one of its menus, and after the palette if the user opened it from the view.
        const place = menuPlace(context);
        const isFromView = context !== undefined || results.leftForPalette;
        if (place.output === undefined && (isFromView || typing.has(action))) await results.focus();
        results.act(action, place);
      }),
    ),
  );
}

/** Reads the context that the page passes to VS Code for its menus. */
function menuPlace(context: unknown): MenuPlace {
  const { aplombRow, aplombColumn, aplombTab, aplombOutput } = (context ?? {}) as Record<
    string,
    unknown
  >;
  return {
    ...(typeof aplombRow === 'number' && { row: aplombRow }),
    ...(typeof aplombColumn === 'number' && { column: aplombColumn }),
    ...(typeof aplombTab === 'string' && { tab: aplombTab }),
    ...(typeof aplombOutput === 'string' && { output: aplombOutput }),
  };
}
