// Shows notifications and dialogs without links or icons. No other module may show notifications or dialogs.
import * as vscode from 'vscode';
import { applyRules, linesRule } from './guarded.ts';
import { type Label, labelText, plain, plainLine } from './plain.ts';

type Show = typeof vscode.window.showInformationMessage;
type ShowAny = (message: string, ...rest: readonly unknown[]) => Promise<unknown>;

/** Wraps a VS Code function so that it shows plain buttons but returns the original button. */
function shownBy(show: () => Show): Show {
  const shown = async (message: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const buttons = new Map<unknown, unknown>();
    const parts = rest.map((part) => {
      const words = plainPart(part);
      buttons.set(words, part);
      return words;
    });
    const chosen = await (show() as ShowAny)(plain(message), ...parts);
    return buttons.get(chosen) ?? chosen;
  };
  return shown as Show;
}

/** Makes a button, or the options of a dialog, plain. */
function plainPart(part: unknown): unknown {
  if (typeof part === 'string') return plainLine(part);
  return part && applyRules({ ...part }, { detail: linesRule });
}

export const showInformationMessage = shownBy(() => vscode.window.showInformationMessage);
export const showWarningMessage = shownBy(() => vscode.window.showWarningMessage);
export const showErrorMessage = shownBy(() => vscode.window.showErrorMessage);

/** Shows a message in the status bar for some time, or until it is disposed of. */
export function setStatusBarMessage(message: Label, milliseconds?: number): vscode.Disposable {
  const text = labelText(message);
  return milliseconds === undefined
    ? vscode.window.setStatusBarMessage(text)
    : vscode.window.setStatusBarMessage(text, milliseconds);
}

/** Asks in a dialog. Returns the pressed button; undefined for Cancel, which VS Code adds as the last button. */
export function ask<Button extends string>(
  message: string,
  detail: string,
  ...buttons: readonly Button[]
): Thenable<Button | undefined> {
  return showWarningMessage(message, { modal: true, detail }, ...buttons);
}

/** Asks for confirmation in a dialog. `safe` is a default button that changes nothing. Returns whether to proceed. */
export async function confirm(
  message: string,
  detail: string,
  button: string,
  safe?: string,
): Promise<boolean> {
  // The first button is the default.
  const chosen = await ask(message, detail, ...(safe === undefined ? [] : [safe]), button);
  return chosen === button;
}
