// Shows progress. No other module may show it, because VS Code draws links and icons in its title and messages.
import * as vscode from 'vscode';
import { applyRules, lineRule } from './guarded.ts';

type Report = { readonly message?: string; readonly increment?: number };

export function showProgress<T>(
  options: vscode.ProgressOptions,
  work: (progress: vscode.Progress<Report>, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const shown = applyRules({ ...options }, { title: lineRule });
  return vscode.window.withProgress(shown, (progress, token) => {
    const report = (step: Report): void =>
      progress.report(applyRules({ ...step }, { message: lineRule }));
    return work({ report }, token);
  });
}

/** Shows progress with a Cancel button, which aborts the signal. */
export function showCancellable<T>(
  title: string,
  work: (signal: AbortSignal, progress: vscode.Progress<Report>) => Thenable<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return showProgress({ location, title, cancellable: true }, (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return work(controller.signal, progress);
  });
}
