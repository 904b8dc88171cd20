// New APL Query: opens an untitled query document.
import type * as vscode from 'vscode';
import { openApl } from '../host/openApl.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate(): vscode.Disposable {
  return registerCommand('aplomb.newQuery', () => openApl());
}
