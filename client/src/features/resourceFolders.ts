// Export Resources and Apply Resources, in the palette and the menu of folders. What does the work is loaded with its
// first use.
import * as vscode from 'vscode';
import { MARKER } from '../../../resources/src/folder/files.ts';
import type { Context } from '../context.ts';
import type { FolderUi } from '../resources/folders/folderUi.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate(context: Context): vscode.Disposable {
  let loaded: Promise<FolderUi> | undefined;
  const ui = (): Promise<FolderUi> => {
    loaded ??= import('../resources/folders/folderUi.ts').then(
      (module) => new module.FolderUi(context),
    );
    return loaded;
  };
  return vscode.Disposable.from(
    registerCommand('aplomb.exportResources', async (folder?: vscode.Uri) =>
      (await ui()).export(folderOf(folder)),
    ),
    registerCommand('aplomb.applyResources', async (folder?: vscode.Uri) =>
      (await ui()).apply(folderOf(folder)),
    ),
    new vscode.Disposable(() => void loaded?.then((made) => made.dispose())),
  );
}

/** The menu of the explorer offers both on the file that marks a folder of resources. */
function folderOf(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  return uri?.path.endsWith(`/${MARKER}`) ? vscode.Uri.joinPath(uri, '..') : uri;
}
