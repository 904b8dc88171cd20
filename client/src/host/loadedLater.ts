// Parts of the extension that are loaded with their first use.
import type * as vscode from 'vscode';

interface LoadedLater<Part> extends vscode.Disposable {
  get(): Promise<Part>;
}

export function loadedLater<Part extends vscode.Disposable>(
  load: () => Promise<Part>,
): LoadedLater<Part> {
  let loaded: Promise<Part> | undefined;
  return {
    get() {
      loaded ??= load();
      return loaded;
    },
    dispose: () => void loaded?.then((part) => part.dispose()),
  };
}
