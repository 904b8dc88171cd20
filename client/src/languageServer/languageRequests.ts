// The library's client, except that a failed request of a feature is not shown: the feature answers with
// nothing and the log has the error once. The library would open the log over the editor at every key.
import type * as vscode from 'vscode';
import * as library from 'vscode-languageclient/node';

/** Requests whose errors are answers: the reason why a name cannot be changed. */
const refusing: ReadonlySet<string> = new Set([
  'textDocument/rename',
  'textDocument/prepareRename',
]);

/** The codes of requests that were not answered because the answer is no longer wanted. */
const cancelling: ReadonlySet<number> = new Set([
  library.ErrorCodes.PendingResponseRejected,
  library.ErrorCodes.ConnectionInactive,
  library.LSPErrorCodes.RequestCancelled,
  library.LSPErrorCodes.ServerCancelled,
  library.LSPErrorCodes.ContentModified,
]);

export class LanguageClient extends library.LanguageClient {
  readonly #logged = new Set<string>();

  askForProblems(): void {
    this.getFeature(library.DocumentDiagnosticRequest.method).refresh();
  }

  override handleFailedRequest<T>(
    type: library.MessageSignature,
    token: vscode.CancellationToken | undefined,
    error: unknown,
    defaultValue: T,
    showNotification?: boolean,
    throwOnCancel?: boolean,
  ): T {
    const code = error instanceof library.ResponseError ? error.code : undefined;
    if (refusing.has(type.method) || (code !== undefined && cancelling.has(code))) {
      return super.handleFailedRequest(
        type,
        token,
        error,
        defaultValue,
        showNotification,
        throwOnCancel,
      );
    }
    const key = `${type.method} ${String(error)}`;
    if (!this.#logged.has(key)) {
      this.#logged.add(key);
      this.error(`${type.method} failed.`, error, false);
    }
    return defaultValue;
  }
}
