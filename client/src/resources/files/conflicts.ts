// Two changes of one resource: a comparison with both sides, and the choice between them. The save waits for it. Where
// the comparison is closed without a choice, the save fails, and the choices stay above the text and in the title of
// the editor until one is made, the changes are reverted, or the document is closed.
import * as vscode from 'vscode';
import { showDiff } from '../../ui/commands.ts';
import { codeLens } from '../../ui/editorParts.ts';
import { showWarningMessage } from '../../ui/messages.ts';
import { documentScheme } from '../documents.ts';

export type Choice = 'merge' | 'overwrite' | 'reload';

const scheme = 'aplomb-stored';
/** The addresses of the documents with a conflict, for the title of the editor. */
const contextKey = 'aplomb.conflicts';

const compareCommand = 'aplomb.compareConflict';

const choices: readonly {
  readonly choice: Choice;
  readonly command: string;
  readonly label: string;
  readonly about: string;
}[] = [
  {
    choice: 'merge',
    command: 'aplomb.mergeConflict',
    label: 'Merge',
    about: 'Save both changes. What both have changed is marked in the text.',
  },
  {
    choice: 'overwrite',
    command: 'aplomb.overwriteConflict',
    label: 'Overwrite',
    about: 'Save your text in place of what is on the deployment.',
  },
  {
    choice: 'reload',
    command: 'aplomb.reloadConflict',
    label: 'Reload',
    about: 'Discard your changes and show what is on the deployment.',
  },
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

export class Conflicts implements vscode.Disposable, vscode.CodeLensProvider {
  /** The conflicts that last, by the document. */
  readonly #lasting = new Map<string, ConflictSides>();
  readonly #theirsChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  /** How a save that waits is given its choice, by the document. */
  readonly #waiting = new Map<string, (choice: Choice | undefined) => void>();
  /** What was chosen for a save that is about to follow. */
  readonly #chosen = new Map<string, { readonly choice: Choice; readonly theirs: string }>();
  readonly #subscriptions = vscode.Disposable.from(
    this.#theirsChanged,
    this.#lensesChanged,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#theirsChanged.event,
      provideTextDocumentContent: ({ query }) => this.#lasting.get(query)?.theirs ?? '',
    }),
    vscode.languages.registerCodeLensProvider({ scheme: documentScheme }, this),
    // Otherwise the save would wait forever, and the next one behind it.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (!(input instanceof vscode.TabInputTextDiff)) continue;
        const { scheme: from, query } = input.original;
        if (from === scheme) this.#waiting.get(query)?.(undefined);
      }
    }),
  );

  /** What is to become of the document; undefined where the comparison or the message was closed instead. */
  async ask(sides: ConflictSides): Promise<Choice | undefined> {
    const { uri, what, deployment, theirs } = sides;
    const key = uri.toString();
    const chosen = this.#chosen.get(key);
    // A choice that was made of other text is none of this.
    if (chosen?.theirs === theirs) {
      this.end(uri);
      return chosen.choice;
    }
    this.#lasting.set(key, sides);
    this.#theirsChanged.fire(storedUri(uri));
    const choice = new Promise<Choice | undefined>((resolve) => this.#waiting.set(key, resolve));
    this.#update();
    try {
      await compare(sides);
      const labels = choices.map(({ label }) => label);
      const pressed = showWarningMessage(
        `${what} was changed on ${deployment} after you opened it. Merge both changes, overwrite what is on ${deployment}, or reload it and discard your changes.`,
        ...labels,
      ).then((label) => choices.find((one) => one.label === label)?.choice);
      const made = await Promise.race([choice, pressed]);
      if (made !== undefined) this.#lasting.delete(key);
      return made;
    } finally {
      this.#waiting.delete(key);
      this.#update();
      await closeComparison(uri);
    }
  }

  /** Makes the choice for a document with a conflict. */
  async choose(choice: Choice, target: unknown): Promise<void> {
    const sides = this.#find(target);
    if (sides === undefined) return;
    const { uri, theirs } = sides;
    const key = uri.toString();
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting(choice);
      return;
    }
    await closeComparison(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    if (choice === 'reload') {
      // A text that is not JSON cannot be saved, but it can be given up.
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      return;
    }
    this.#chosen.set(key, { choice, theirs });
    try {
      await document.save();
    } finally {
      this.#chosen.delete(key);
    }
  }

  /** Shows both sides of a conflict that lasts. */
  async compare(target: unknown): Promise<void> {
    const sides = this.#find(target);
    if (sides) await compare(sides);
  }

  /** The document has no changes any more, or has those that the choice has made. */
  end(uri: vscode.Uri): void {
    const key = uri.toString();
    if (this.#waiting.has(key) || !this.#lasting.delete(key)) return;
    this.#update();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const sides = this.#lasting.get(uri.toString());
    if (sides === undefined) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const compared = {
      title: `Changed on ${sides.deployment}: Compare`,
      tooltip: 'Show both sides.',
      command: compareCommand,
      arguments: [uri],
    };
    const chosen = choices.map(({ label, about, command }) => ({
      title: label,
      tooltip: about,
      command,
      arguments: [uri],
    }));
    return [compared, ...chosen].map((command) => codeLens(top, command));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The conflict of a document, or of the active editor, or the only one. */
  #find(target: unknown): ConflictSides | undefined {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    // On the side of the deployment, the query names the document.
    const key = uri?.scheme === scheme ? uri.query : uri?.toString();
    const [first, second] = this.#lasting.values();
    return this.#lasting.get(key ?? '') ?? (second === undefined ? first : undefined);
  }

  #update(): void {
    void vscode.commands.executeCommand('setContext', contextKey, [...this.#lasting.keys()]);
    this.#lensesChanged.fire();
  }
}

/** The address of what the deployment has. */
function storedUri(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: uri.path, query: uri.toString() });
}

async function compare({ uri, deployment }: ConflictSides): Promise<void> {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const title = `${name}: ${deployment} ↔ Your Changes`;
  await showDiff(storedUri(uri), uri, title);
}

/** Closes the comparison, so that the document alone is left. */
async function closeComparison(uri: vscode.Uri): Promise<void> {
  const stored = storedUri(uri).toString();
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.original.toString() === stored,
    );
  for (const tab of tabs) {
    const { modified } = tab.input as vscode.TabInputTextDiff;
    await vscode.window.showTextDocument(modified, { viewColumn: tab.group.viewColumn });
  }
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}
