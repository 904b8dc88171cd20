// Why documents were not saved, until VS Code has shown it. Where a write fails, VS Code shows the address of the
// document together with the reason; it asks for the state of the file right after a write, and shows the reason
// alone where that fails instead.
import * as vscode from 'vscode';
import { withoutLinks } from '../../noLinks.ts';

/** How long a failure that was told once is told to others who ask, in milliseconds. A revert follows later. */
const TOLD_FOR_MS = 500;

/** What VS Code shows when a save fails; the text stays in the editor. */
export function notSaved(why: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(withoutLinks(why));
}

export class SaveFailures {
  readonly #failures = new Map<string, { readonly error: unknown; toldAt?: number }>();

  /**
   * Runs a write. Its failure is kept for the question that follows, if this is the save of an editor: nobody else
   * asks afterwards, so that others get it at once.
   */
  async writing(uri: vscode.Uri, content: Uint8Array, write: () => Promise<void>): Promise<void> {
    const key = uri.toString();
    const isOfEditor = isTextOfEditor(key, content);
    this.#failures.delete(key);
    try {
      await write();
    } catch (error) {
      if (!isOfEditor) throw error;
      this.#failures.set(key, { error });
    }
  }

  /** Throws why the last save of a document failed, until VS Code knows. */
  tell(uri: vscode.Uri): void {
    const key = uri.toString();
    const failure = this.#failures.get(key);
    if (failure === undefined) return;
    failure.toldAt ??= Date.now();
    if (Date.now() - failure.toldAt <= TOLD_FOR_MS) throw failure.error;
    this.#failures.delete(key);
  }
}

function isTextOfEditor(key: string, content: Uint8Array): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  return document !== undefined && document.getText() === new TextDecoder().decode(content);
}
