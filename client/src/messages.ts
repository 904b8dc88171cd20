// Notifications, the only way to show them: nothing in their text is a link.
import * as vscode from 'vscode';
import { withoutLinks } from './noLinks.ts';

type Show = typeof vscode.window.showInformationMessage;
type ShowAny = (message: string, ...rest: readonly unknown[]) => unknown;

function plain(show: () => Show): Show {
  return ((message: string, ...rest: readonly unknown[]) =>
    (show() as ShowAny)(withoutLinks(message), ...rest)) as Show;
}

export const showInformationMessage = plain(() => vscode.window.showInformationMessage);
export const showWarningMessage = plain(() => vscode.window.showWarningMessage);
export const showErrorMessage = plain(() => vscode.window.showErrorMessage);
