// Cancel Query: aborts the run under way, from the palette, the status bar or the editor's title.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate({ runner }: Context): vscode.Disposable {
  return registerCommand('aplomb.cancelQuery', () => runner.cancel());
}
