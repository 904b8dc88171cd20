// A language client whose failed requests return nothing and are logged once, because the library's own client would
// open the log at every keystroke.
import type * as vscode from 'vscode';
import * as library from 'vscode-languageclient/node';

/** Requests whose errors are shown to the user, such as the reason why a name can't be changed. */
const refusing: ReadonlySet<string> = new Set([
  'textDocument/rename',
  'textDocument/prepareRename',
]);

/** Error codes of requests whose response is no longer needed. */
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
    ...rest: [showNotification?: boolean, throwOnCancel?: boolean]
  ): T {
    const code = error instanceof library.ResponseError ? error.code : undefined;
    if (refusing.has(type.method) || (code !== undefined && cancelling.has(code))) {
      return super.handleFailedRequest(type, token, error, defaultValue, ...rest);
    }
    const key = `${type.method} ${String(error)}`;
    if (!this.#logged.has(key)) {
      this.#logged.add(key);
      this.error(`${type.method} failed.`, error, false);
    }
    return defaultValue;
  }
}
