// Checks the JSON of resources a moment after it was opened or changed, so that typing is not checked by the key.
import * as vscode from 'vscode';
import { documentScheme } from '../documents.ts';

const CHECK_AFTER_MS = 300;

/** Documents that are the JSON of a resource. */
export const jsonSelector: vscode.DocumentSelector = { scheme: documentScheme, language: 'json' };

export class LaterChecks implements vscode.Disposable {
  readonly #check: (document: vscode.TextDocument) => void;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;

  /** Calls `check` for the documents that are open, and later for those that open or change. */
  constructor(check: (document: vscode.TextDocument) => void) {
    this.#check = check;
    this.checkAll();
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.#later(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#later(document);
      }),
    );
  }

  /** Checks all open documents, such as after the schema changed. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#later(document);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }

  #later(document: vscode.TextDocument): void {
    if (vscode.languages.match(jsonSelector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    const run = () => {
      this.#waiting.delete(key);
      this.#check(document);
    };
    this.#waiting.set(key, setTimeout(run, CHECK_AFTER_MS));
  }
}
