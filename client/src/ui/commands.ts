// Registers commands. No other module may register them, because VS Code shows their errors with links.
import * as vscode from 'vscode';
import { plain } from './plain.ts';

// biome-ignore lint/suspicious/noExplicitAny: as in VS Code's own declaration.
type Run = (...args: any[]) => unknown;

export function registerCommand(id: string, run: Run): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...args) => plainError(() => run(...args)));
}

export function registerCommands(commands: Readonly<Record<string, Run>>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => registerCommand(id, run)),
  );
}

/** Runs the work. If it throws, makes the error's message plain before rethrowing it. */
export async function plainError<T>(work: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) error.message = plain(error.message);
    throw error;
  }
}

export function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options?: vscode.TextDocumentShowOptions,
): Thenable<unknown> {
  return vscode.commands.executeCommand('vscode.diff', left, right, plain(title), options);
}
