// Conflicts between an edited document and a deployment's newer record, found when saving. Shows a comparison, and
// choices above the text and in the editor's title. They remain until a choice is made, the changes are reverted, or
// the document is closed. Until then, the document has unsaved changes.
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { markedConflicts } from '../../../../resources/src/merge.ts';
import { documentScheme } from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import { showDiff } from '../../ui/commands.ts';
import { codeLens } from '../../ui/editorParts.ts';
import { allTabs } from './editors.ts';

export type Choice = 'merge' | 'overwrite' | 'reload';

const scheme = 'aplomb-stored';
/** The context key for the URIs of documents with a conflict, used in the editor's title. */
const contextKey = 'aplomb.conflicts';

const compareCommand = 'aplomb.compareConflict';

const choices: readonly (readonly [choice: Choice, label: string, about: string])[] = [
  ['merge', 'Merge', 'Save both changes. Conflicting members are marked in the text.'],
  ['overwrite', 'Overwrite', 'Replace the version on the deployment with your text.'],
  ['reload', 'Reload', 'Discard your changes and show the version on the deployment.'],
];

const sideCommand = 'aplomb.chooseSide';

/** The choices above each conflict in the text. */
const sideLenses = [
  { title: 'Keep Yours', tooltip: 'Discard the change on the deployment.', side: 'mine' },
  { title: 'Take Theirs', tooltip: 'Discard your change of this member.', side: 'theirs' },
] as const;

interface ConflictSides {
  readonly uri: vscode.Uri;
  readonly deployment: string;
  readonly theirs: string;
  /** Reads the deployment's version of the text again; undefined if that fails. */
  readonly read: () => Promise<string | undefined>;
}

/** The interval in milliseconds at which the deployment's text is read while a comparison is open. */
const FOLLOW_EVERY_MS = 3_000;

export class Conflicts implements vscode.Disposable, vscode.CodeLensProvider {
  /** Unresolved conflicts by document. */
  readonly #lasting = new Map<string, ConflictSides>();
  readonly #theirsChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  /** Choices for the save in progress, by document. */
  readonly #chosen = new Map<string, { readonly choice: Choice; readonly theirs: string }>();
  #following: NodeJS.Timeout | undefined;
  readonly #subscriptions = vscode.Disposable.from(
    new vscode.Disposable(() => clearTimeout(this.#following)),
    this.#theirsChanged,
    this.#lensesChanged,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#theirsChanged.event,
      provideTextDocumentContent: ({ query }) => this.#lasting.get(query)?.theirs ?? '',
    }),
    vscode.languages.registerCodeLensProvider({ scheme: documentScheme }, this),
  );

  /** Returns the user's choice for a conflict. Without a choice, shows a comparison and the choices. */
  choiceFor(sides: ConflictSides): Choice | undefined {
    const { uri, theirs } = sides;
    const key = uri.toString();
    const chosen = this.#chosen.get(key);
    // Ignore a choice if the deployment's text has changed since.
    if (chosen?.theirs === theirs) {
      this.end(uri);
      return chosen.choice;
    }
    this.#lasting.set(key, sides);
    this.#theirsChanged.fire(storedUri(uri));
    this.#update();
    void compare(sides);
    this.#followLater();
    return undefined;
  }

  async choose(choice: Choice, target: unknown): Promise<void> {
    const sides = this.#find(target);
    if (sides === undefined) return;
    const { uri, theirs } = sides;
    const key = uri.toString();
    await closeComparison(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    if (choice === 'reload') {
      // Revert instead of saving, because the text may be invalid JSON.
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

  async compare(target: unknown): Promise<void> {
    const sides = this.#find(target);
    if (sides) await compare(sides);
  }

  /** Removes a conflict after a choice, or when the document has no changes or is closed. */
  end(uri: vscode.Uri): void {
    const key = uri.toString();
    if (!this.#lasting.delete(key)) return;
    this.#update();
  }

  #followLater(): void {
    clearTimeout(this.#following);
    if (this.#lasting.size === 0) return;
    this.#following = setTimeout(async () => {
      for (const sides of this.#lasting.values()) await this.#follow(sides);
      this.#followLater();
    }, FOLLOW_EVERY_MS);
  }

  async #follow(sides: ConflictSides): Promise<void> {
    const key = sides.uri.toString();
    if (comparisonsOf(sides.uri).length === 0) return;
    const theirs = await sides.read();
    if (theirs === undefined || theirs === sides.theirs || this.#lasting.get(key) !== sides) return;
    this.#lasting.set(key, { ...sides, theirs });
    this.#theirsChanged.fire(storedUri(sides.uri));
  }

  /** Replaces a conflict in the text with the document's or the deployment's version. */
  async chooseSide(uri: vscode.Uri, index: number, side: 'mine' | 'theirs'): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = markedConflicts(document.getText())[index];
    if (found === undefined) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, offsetRange(document, found), found[side]);
    await vscode.workspace.applyEdit(edit);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { uri } = document;
    const marked = markedConflicts(document.getText()).flatMap((found, index) =>
      sideLenses.map(({ title, tooltip, side }) =>
        codeLens(offsetRange(document, found), {
          title,
          tooltip,
          command: sideCommand,
          arguments: [uri, index, side],
        }),
      ),
    );
    const sides = this.#lasting.get(uri.toString());
    if (sides === undefined) return marked;
    const top = new vscode.Range(0, 0, 0, 0);
    const compared = {
      title: `Changed on ${sides.deployment}: Compare`,
      tooltip: 'Show both sides.',
      command: compareCommand,
      arguments: [uri],
    };
    const chosen = choices.map(([choice, title, tooltip]) => ({
      title,
      tooltip,
      command: `aplomb.${choice}Conflict`,
      arguments: [uri],
    }));
    return [...[compared, ...chosen].map((command) => codeLens(top, command)), ...marked];
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Returns the conflict of the given or active document, or else the only existing conflict. */
  #find(target: unknown): ConflictSides | undefined {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    // The URI of the deployment's version has the document's URI as its query.
    const key = uri?.scheme === scheme ? uri.query : uri?.toString();
    const [first, second] = this.#lasting.values();
    return this.#lasting.get(key ?? '') ?? (second === undefined ? first : undefined);
  }

  #update(): void {
    void vscode.commands.executeCommand('setContext', contextKey, [...this.#lasting.keys()]);
    this.#lensesChanged.fire();
  }
}

function storedUri(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: uri.path, query: uri.toString() });
}

async function compare({ uri, deployment }: ConflictSides): Promise<void> {
  const title = `${basename(uri.path)}: ${deployment} ↔ Your Changes`;
  await showDiff(storedUri(uri), uri, title);
}

function comparisonsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const stored = storedUri(uri).toString();
  return allTabs().filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.toString() === stored,
  );
}

async function closeComparison(uri: vscode.Uri): Promise<void> {
  const tabs = comparisonsOf(uri);
  for (const tab of tabs) {
    const { modified } = tab.input as vscode.TabInputTextDiff;
    await vscode.window.showTextDocument(modified, { viewColumn: tab.group.viewColumn });
  }
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}
