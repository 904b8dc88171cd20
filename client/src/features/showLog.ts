// Show Log: opens the extension's output, where what went wrong is written with more detail.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ log }: Context): vscode.Disposable {
  return vscode.commands.registerCommand('aplomb.showLog', () => log.show());
}
