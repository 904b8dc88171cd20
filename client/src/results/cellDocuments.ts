/** Opens result values in read-only editors, and stores their text while the editors are open. */
import * as vscode from 'vscode';
import type { CellDocument } from './cellDocument.ts';

const cellScheme = 'aplomb-cell';

export class CellDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #parts: vscode.Disposable;

  constructor() {
    this.#parts = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(cellScheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) =>
          this.#texts.get(uri.toString()) ??
          'The result of this value is no longer available. Run the query again.\n',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** Shows a value. `place` distinguishes values of the same name, such as values of two results. */
  async open({ name, language, text }: CellDocument, place: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: cellScheme, path: `/${name}`, query: place });
    this.#texts.set(uri.toString(), text);
    // An editor restored by VS Code may still show that its value is unavailable, so refresh it.
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    // The user may have mapped the extension to another language. Changing it closes and reopens the document, which
    // deletes the text, so the text is stored again.
    if (document.languageId !== language)
      await vscode.languages.setTextDocumentLanguage(document, language);
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
