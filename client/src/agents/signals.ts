// Converts between VS Code's cancellation tokens and abort signals.
import * as vscode from 'vscode';

interface DisposableSignal extends vscode.Disposable {
  readonly signal: AbortSignal;
}

export function signalOf(token: vscode.CancellationToken): DisposableSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void subscription.dispose() };
}

export function tokenOf(signal: AbortSignal) {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return {
    token: source.token,
    dispose() {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
