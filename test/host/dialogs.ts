// Dialogs of VS Code, which a window under test refuses to show.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/**
 * Runs a command that asks in dialogs: each is answered with the button given for it, or with the one that a function
 * returns while the dialog is open, and those beyond are dismissed.
 * Returns what the dialogs said, which `work` is given as it grows.
 */
export async function answering(
  answers: readonly (string | undefined | (() => Promise<string>))[],
  work: (shown: readonly string[]) => Thenable<unknown>,
): Promise<string[]> {
  const shown: string[] = [];
  const real = vscode.window.showWarningMessage;
  const window = vscode.window as { showWarningMessage: unknown };
  window.showWarningMessage = async (text: string, options: unknown, ...buttons: string[]) => {
    const { modal, detail } = (options ?? {}) as vscode.MessageOptions;
    if (!modal) return real(text, options as string, ...buttons);
    const given = answers[shown.length];
    shown.push(`${text} ${detail}`);
    const answer = typeof given === 'function' ? await given() : given;
    if (detail?.includes('marked as production')) {
      assert.match(
        buttons[0] ?? '',
        /Unchanged$|^Do Not Run$/,
        'Enter, pressed once too often, changes and runs nothing.',
      );
    }
    if (answer !== undefined) assert.ok(buttons.includes(answer), `${text} has ${answer}.`);
    return answer;
  };
  try {
    await work(shown);
  } finally {
    window.showWarningMessage = real;
  }
  return shown;
}
