// Show Log: opens the extension's output.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate({ log }: Context): vscode.Disposable {
  return registerCommand('aplomb.showLog', () => log.show());
}
