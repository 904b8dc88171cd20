// Tracks typing and its position. Problems and lenses wait until typing rests or the cursor leaves the word.
import * as vscode from 'vscode';

/** The time without a keystroke after which typing rests. */
const restMs = 1_000;

interface Word {
  readonly document: vscode.TextDocument;
  readonly start: vscode.Position;
  /** The range of the last change. While the cursor is in it, the cursor is in the word. */
  readonly changed: vscode.Range;
}

/** Matches the word to the left of the cursor, with its opening quote or bracket. */
const beforeCursor = /(?:[\p{L}\p{N}_$.'"[-]+|[^\s\p{L}\p{N}])?[ \t]*$/u;

export class Typing implements vscode.Disposable {
  #word: Word | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #rested = new vscode.EventEmitter<void>();
  /** Fires when typing rests, and when the cursor leaves the word. */
  readonly onDidRest = this.#rested.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(languageIds: readonly string[]) {
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        const [change, another] = contentChanges;
        if (change === undefined || !languageIds.includes(document.languageId)) return;
        if (vscode.window.activeTextEditor?.document !== document) return;
        if (another === undefined && reason === undefined) this.#typed(document, change);
        else this.#rest();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const [selection] = selections;
        if (textEditor.document !== this.#word?.document || selection === undefined) return;
        if (!this.#word.changed.contains(selection.active)) this.#rest();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#rest()),
    );
  }

  /** Returns the start of the word that is being typed in a document. */
  wordIn(uri: vscode.Uri): vscode.Position | undefined {
    return this.#word?.document.uri.toString() === uri.toString() ? this.#word.start : undefined;
  }

  /** Resolves once nobody is typing in a document, or on cancellation. */
  async rested(uri: vscode.Uri, token: vscode.CancellationToken): Promise<void> {
    if (this.wordIn(uri) === undefined) return;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const listening = vscode.Disposable.from(
      this.onDidRest(resolve),
      token.onCancellationRequested(resolve),
    );
    await promise;
    listening.dispose();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#word = undefined;
    this.#rested.dispose();
    this.#subscriptions.dispose();
  }

  #typed(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): void {
    const from = change.range.start;
    const end = document.positionAt(change.rangeOffset + change.text.length);
    const line = document.lineAt(from.line).text.slice(0, from.character);
    const start = from.with({ character: beforeCursor.exec(line)?.index ?? from.character });
    this.#word = { document, start, changed: new vscode.Range(from, end) };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), restMs);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#word === undefined) return;
    this.#word = undefined;
    this.#rested.fire();
  }
}
