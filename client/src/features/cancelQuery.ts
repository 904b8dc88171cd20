// Cancel Query: aborts the run under way, from the palette, the status bar or the editor's title.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ runner }: Context): vscode.Disposable {
  return vscode.commands.registerCommand('aplomb.cancelQuery', () => runner.cancel());
}
