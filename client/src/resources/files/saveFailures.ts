// Why documents were not saved, until VS Code has shown it. Where a write fails, VS Code shows the address of the
// document together with the reason; it asks for the state of the file right after a write, and shows the reason
// alone where that fails instead.
import * as vscode from 'vscode';
import { unavailable } from '../../ui/editorParts.ts';

/** What VS Code shows when a save fails; the text stays in the editor. */
export function notSaved(why: string): vscode.FileSystemError {
  return unavailable(why);
}

/** The person answered Cancel: the document stays changed, and nothing is reported. */
export class SaveCancelled extends Error {
  constructor() {
    super('The save was cancelled.');
  }
}

export class SaveFailures {
  /** The failures of the last writes, by the document. */
  readonly #failures = new Map<string, { readonly error: unknown; told: boolean }>();

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
      this.#failures.set(key, { error, told: false });
    }
  }

  /** Throws why the last save of a document failed, once: a revert asks as well. */
  tell(uri: vscode.Uri): void {
    const failure = this.#failures.get(uri.toString());
    if (failure === undefined || failure.told || failure.error instanceof SaveCancelled) return;
    failure.told = true;
    throw failure.error;
  }

  /** Why a document was not saved that VS Code takes for saved, since somebody else was told. Gives it once. */
  missed(uri: vscode.Uri): unknown {
    const key = uri.toString();
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    return failure?.error;
  }
}

function isTextOfEditor(key: string, content: Uint8Array): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  return document !== undefined && document.getText() === new TextDecoder().decode(content);
}
