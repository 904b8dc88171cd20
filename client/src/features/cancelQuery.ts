// Cancel Query: cancels running queries.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate({ runner }: Context): vscode.Disposable {
  return registerCommand('aplomb.cancelQuery', () => runner.cancel());
}
