// Plans and reports as documents that cannot be edited, and both sides of a change next to each other.
import * as vscode from 'vscode';
import { type Step, sides } from '../../../../resources/src/folder/plan.ts';

const SCHEME = 'aplomb-plan';

export class ReviewDocuments implements vscode.Disposable {
  /** The texts of the latest plan, by their paths. */
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? '',
  });

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** Opens a text in the colors of a diff. */
  async show(name: string, text: string): Promise<void> {
    const uri = this.#put(`/${name}.diff`, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'diff');
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens both sides of a step; `target` is the name of the deployment. */
  async compare(step: Step, target: string): Promise<void> {
    const { before, after } = sides(step);
    const left = this.#put(`/deployment/${step.path}`, before);
    const right = this.#put(`/folder/${step.path}`, after);
    const title = `${step.path} (${target} ↔ folder)`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: true,
      preserveFocus: true,
    });
  }

  #put(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    this.#texts.set(path, text);
    this.#changed.fire(uri);
    return uri;
  }
}
