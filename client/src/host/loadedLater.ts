// Loads parts of the extension when they are first used.
import type * as vscode from 'vscode';

export function loadedLater<Part extends vscode.Disposable>(load: () => Promise<Part>) {
  let loaded: Promise<Part> | undefined;
  return {
    get(): Promise<Part> {
      loaded ??= load();
      return loaded;
    },
    dispose: () => void loaded?.then((part) => part.dispose()),
  };
}
