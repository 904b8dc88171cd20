// Checks resource JSON with a delay after it was opened or changed, instead of at every keystroke.
import * as vscode from 'vscode';
import { documentScheme } from '../../deployments/resourceAddress.ts';

const CHECK_AFTER_MS = 300;

export const jsonSelector: vscode.DocumentSelector = { scheme: documentScheme, language: 'json' };

export class LaterChecks implements vscode.Disposable {
  readonly #check: (document: vscode.TextDocument) => void;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;

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

  /** Checks all open documents again, such as after a schema change. */
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
