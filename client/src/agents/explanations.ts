// Explanations of queries, shown in VS Code's Markdown preview while they arrive.
import * as vscode from 'vscode';
import { fileName } from '../deployments/resourceAddress.ts';
import { visibleMarkdown } from '../ui/plain.ts';
import { inertMarkdown } from './modelAnswer.ts';

const scheme = 'aplomb-explanation';

/** Number of latest explanations that VS Code can show again. */
const KEPT_MAX = 20;

const missing = 'This explanation is no longer available. Run *APL: Explain Query* again.\n';

export class Explanations implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions = vscode.Disposable.from(
    this.#changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? missing,
    }),
  );

  /** Returns the place of a query's explanation. A query with the same first line replaces it. */
  placeOf(query: string): vscode.Uri {
    const [first = ''] = query.trim().split(/\r\n|\r|\n/);
    return vscode.Uri.from({ scheme, path: `/Explanation of ${fileName(first) || 'Query'}.md` });
  }

  async open(uri: vscode.Uri): Promise<void> {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
    await vscode.commands.executeCommand('vscode.open', uri, beside);
  }

  put(uri: vscode.Uri, markdown: string): void {
    const key = uri.toString();
    this.#texts.delete(key);
    this.#texts.set(key, inertMarkdown(visibleMarkdown(markdown)));
    if (this.#texts.size > KEPT_MAX) this.#texts.delete(this.#texts.keys().next().value as string);
    this.#changed.fire(uri);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
