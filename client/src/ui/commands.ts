// Commands, the only way to register them: VS Code shows the error of one in a notification, where it draws links.
import * as vscode from 'vscode';
import { plain } from './plain.ts';

// biome-ignore lint/suspicious/noExplicitAny: as in VS Code's own declaration.
type Run = (...args: any[]) => unknown;

export function registerCommand(id: string, run: Run): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...args) => plainError(() => run(...args)));
}

/** Registers commands by their identifiers. */
export function registerCommands(commands: Readonly<Record<string, Run>>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => registerCommand(id, run)),
  );
}

/** Runs the work, whose error is thrown with a plain message. */
export async function plainError<T>(work: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) error.message = plain(error.message);
    throw error;
  }
}

/** Shows two documents next to each other. */
export function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options?: vscode.TextDocumentShowOptions,
): Thenable<unknown> {
  return vscode.commands.executeCommand('vscode.diff', left, right, plain(title), options);
}
