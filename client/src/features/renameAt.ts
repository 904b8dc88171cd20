// Renames the result of a refactoring, as the editor's own refactorings do.
import * as vscode from 'vscode';
import type { WirePosition } from '../../../server/src/protocol.ts';
import type { Feature } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export const activate: Feature = () =>
  registerCommand('aplomb.renameAt', async (uri: string, at: WirePosition) => {
    const address = vscode.Uri.parse(uri);
    const position = new vscode.Position(at.line, at.character);
    await vscode.commands.executeCommand('editor.action.rename', [address, position]);
  });
