// Opens the list of completions as typing would, where the editor is set to open it by itself.
import * as vscode from 'vscode';

/** Offers what comes next at the cursor, unless the settings of the editor keep lists closed. */
export function suggest(document: vscode.TextDocument): void {
  const settings = vscode.workspace.getConfiguration('editor', document);
  if (settings.get('suggestOnTriggerCharacters') === false) return;
  if (!offersInCode(settings.get('quickSuggestions'))) return;
  void vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
}

/** Whether a value of `editor.quickSuggestions`, of one of its two shapes, has lists in code. */
function offersInCode(setting: unknown): boolean {
  if (typeof setting !== 'object' || setting === null) return setting !== false;
  const { other } = setting as { readonly other?: unknown };
  return other !== false && other !== 'off';
}
