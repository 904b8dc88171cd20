// Read-only documents with text from memory, such as plans and values of results.
import * as vscode from 'vscode';
import { Disposables } from './disposables.ts';

/** Distinguishes a document from others with its scheme. The path ends with the tab's name. */
interface TextPlace {
  readonly path: string;
  readonly query?: string;
}

export class TextDocuments extends Disposables {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();

  /** `missing` is the text of documents that VS Code restores after a reload. */
  constructor(scheme: string, missing = '') {
    super();
    this.#scheme = scheme;
    this.own(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? missing,
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** Stores a document's text until the document is closed. */
  put(place: TextPlace, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.#scheme, ...place });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  async show(
    place: TextPlace,
    text: string,
    language: string,
    options: vscode.TextDocumentShowOptions,
  ): Promise<vscode.Uri> {
    const uri = this.put(place, text);
    const document = await vscode.workspace.openTextDocument(uri);
    // Changing the language closes and reopens the document, which deletes the text, so store it again.
    if (document.languageId !== language)
      await vscode.languages.setTextDocumentLanguage(document, language);
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(document, options);
    return uri;
  }
}
