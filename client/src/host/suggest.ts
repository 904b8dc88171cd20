// Opens completion as if the user had typed, if the editor's settings allow it.
import * as vscode from 'vscode';

export function suggest(document: vscode.TextDocument): void {
  const settings = vscode.workspace.getConfiguration('editor', document);
  if (settings.get('suggestOnTriggerCharacters') === false) return;
  if (!offersInCode(settings.get('quickSuggestions'))) return;
  void vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
}

/** Returns whether completion in code is enabled by a value of `editor.quickSuggestions`, which has two formats. */
function offersInCode(setting: unknown): boolean {
  if (typeof setting !== 'object' || setting === null) return setting !== false;
  const { other } = setting as { readonly other?: unknown };
  return other !== false && other !== 'off';
}
