// Two changes of one resource: a comparison with both sides, and the choice between them. The save waits for it.
import * as vscode from 'vscode';
import { showWarningMessage } from '../../messages.ts';

export type Choice = 'merge' | 'overwrite' | 'reload';

const scheme = 'aplomb-stored';
const contextKey = 'aplomb.conflicts';

const choices: readonly {
  readonly choice: Choice;
  readonly command: string;
  readonly label: string;
}[] = [
  { choice: 'merge', command: 'aplomb.mergeConflict', label: 'Merge' },
  { choice: 'overwrite', command: 'aplomb.overwriteConflict', label: 'Overwrite' },
  { choice: 'reload', command: 'aplomb.reloadConflict', label: 'Reload' },
];

export interface ConflictSides {
  /** The document with one's own changes. */
  readonly uri: vscode.Uri;
  /** Such as `The monitor Errors`. */
  readonly what: string;
  readonly deployment: string;
  /** The text that the deployment has now. */
  readonly theirs: string;
}

export class Conflicts implements vscode.Disposable {
  readonly #theirs = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** How a choice is made, by the document. */
  readonly #pending = new Map<string, (choice: Choice | undefined) => void>();
  readonly #subscriptions = vscode.Disposable.from(
    this.#changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: ({ query }) => this.#theirs.get(query) ?? '',
    }),
    // Otherwise the save would wait forever, and the next one behind it.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (!(input instanceof vscode.TabInputTextDiff)) continue;
        const { scheme: from, query } = input.original;
        if (from === scheme) this.#pending.get(query)?.(undefined);
      }
    }),
  );

  /** What is to become of the document; undefined where the comparison or the message was closed instead. */
  async ask({ uri, what, deployment, theirs }: ConflictSides): Promise<Choice | undefined> {
    const key = uri.toString();
    this.#theirs.set(key, theirs);
    const stored = vscode.Uri.from({ scheme, path: uri.path, query: key });
    this.#changed.fire(stored);
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const title = `${name}: ${deployment} ↔ Your Changes`;
    const chosen = new Promise<Choice | undefined>((resolve) => this.#pending.set(key, resolve));
    this.#update();
    try {
      await vscode.commands.executeCommand('vscode.diff', stored, uri, title);
      const labels = choices.map(({ label }) => label);
      const pressed = showWarningMessage(
        `${what} was changed on ${deployment} after you opened it. Merge both changes, overwrite what is on ${deployment}, or reload it and discard your changes.`,
        ...labels,
      ).then((label) => choices.find((choice) => choice.label === label)?.choice);
      return await Promise.race([chosen, pressed]);
    } finally {
      this.#pending.delete(key);
      this.#theirs.delete(key);
      this.#update();
      await closeComparison(stored);
    }
  }

  /** Makes the choice for a document whose save waits for one. */
  choose(choice: Choice, target: unknown): void {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    // From the side of the deployment, its query names the document.
    const key = uri?.scheme === scheme ? uri.query : uri?.toString();
    const only = this.#pending.size === 1 ? [...this.#pending.keys()][0] : undefined;
    this.#pending.get(key ?? '')?.(choice) ?? this.#pending.get(only ?? '')?.(choice);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #update(): void {
    const any = this.#pending.size > 0;
    void vscode.commands.executeCommand('setContext', contextKey, any);
  }
}

/** Closes the comparison, so that the document alone is left. */
async function closeComparison(stored: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.original.toString() === stored.toString(),
    );
  for (const tab of tabs) {
    const { modified } = tab.input as vscode.TabInputTextDiff;
    await vscode.window.showTextDocument(modified, { viewColumn: tab.group.viewColumn });
  }
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}
