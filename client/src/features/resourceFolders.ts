// Export Resources and Apply Resources, in the palette and in folder menus.

import * as vscode from 'vscode';
import { MARKER } from '../../../resources/src/folder/files.ts';
import type { Context } from '../context.ts';
import { loadedLater } from '../host/loadedLater.ts';
import { registerCommands } from '../ui/commands.ts';

export function activate(context: Context): vscode.Disposable {
  const ui = loadedLater(async () => {
    const { FolderUi } = await import('../resources/folders/folderUi.ts');
    return new FolderUi(context);
  });
  return vscode.Disposable.from(
    ui,
    registerCommands({
      'aplomb.exportResources': async (folder) => (await ui.get()).export(folderOf(folder)),
      'aplomb.applyResources': async (folder) => (await ui.get()).apply(folderOf(folder)),
    }),
  );
}

/** Returns the folder that a menu passes, directly or by its marker file. */
function folderOf(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  return uri?.path.endsWith(`/${MARKER}`) ? vscode.Uri.joinPath(uri, '..') : uri;
}
