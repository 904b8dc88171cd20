// Proposed changes of documents: shown as differences, and applied only when the user accepts them.
import * as vscode from 'vscode';
import { allTabs } from '../resources/files/editors.ts';
import { showDiff } from '../ui/commands.ts';
import { showInformationMessage, showWarningMessage } from '../ui/notifications.ts';

const scheme = 'aplomb-proposal';

const ACCEPT = 'Accept';
const DISCARD = 'Discard';

export interface Proposal {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The text that replaces the range. */
  readonly text: string;
  readonly title: string;
  /** What the user reads next to the buttons. */
  readonly message: string;
  /** Whether the message is a warning. */
  readonly hasProblems: boolean;
}

interface OpenProposal extends Proposal {
  readonly former: string;
  readonly content: string;
}

export class Proposals implements vscode.Disposable {
  readonly #open = new Map<string, OpenProposal>();
  #count = 0;
  readonly #subscriptions = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.#open.get(uri.toString())?.content ?? '',
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (input instanceof vscode.TabInputTextDiff) this.#open.delete(input.modified.toString());
      }
    }),
  );

  /** Shows the difference. Returns the proposal's URI without waiting for the user's decision. */
  async show(proposal: Proposal): Promise<vscode.Uri> {
    const { document, range, text, title, message, hasProblems } = proposal;
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme,
      path: `/${proposalName(document)}`,
      query: String(this.#count),
    });
    const whole = document.getText();
    const start = document.offsetAt(range.start);
    const end = document.offsetAt(range.end);
    this.#open.set(uri.toString(), {
      ...proposal,
      former: whole.slice(start, end),
      content: whole.slice(0, start) + text + whole.slice(end),
    });
    await showDiff(document.uri, uri, title, { preview: false });
    const show = hasProblems ? showWarningMessage : showInformationMessage;
    void show(message, ACCEPT, DISCARD).then(async (chosen) => {
      if (chosen === ACCEPT) await this.accept(uri);
      if (chosen === DISCARD) await this.discard(uri);
    });
    return uri;
  }

  /** Applies a proposal to its document, in one step of undo. Returns whether it was applied. */
  async accept(target: unknown): Promise<boolean> {
    const uri = this.#find(target);
    const proposal = uri && this.#open.get(uri.toString());
    if (uri === undefined) return false;
    if (proposal === undefined) {
      void showWarningMessage('The comparison was closed. Run the command again.');
      return false;
    }
    const { range, former, text } = proposal;
    const document = await vscode.workspace.openTextDocument(proposal.document.uri);
    if (document.validateRange(range).isEqual(range) && document.getText(range) === former) {
      await this.discard(uri);
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      const isApplied = await editor.edit((edit) => edit.replace(range, text));
      const end = document.positionAt(document.offsetAt(range.start) + text.trimEnd().length);
      editor.selection = new vscode.Selection(end, end);
      editor.revealRange(new vscode.Range(range.start, end));
      return isApplied;
    }
    void showWarningMessage(
      'The text has changed since the change was proposed. Run the command again.',
    );
    return false;
  }

  /** Closes a proposal's comparison. */
  async discard(target: unknown): Promise<void> {
    const uri = this.#find(target);
    if (uri === undefined) return;
    const tabs = allTabs().filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
    );
    this.#open.delete(uri.toString());
    await vscode.window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Returns the URI of a command's argument, or of the comparison in view. */
  #find(target: unknown): vscode.Uri | undefined {
    if (target instanceof vscode.Uri && target.scheme === scheme) return target;
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const shown = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
    return shown?.scheme === scheme ? shown : undefined;
  }
}

/** Returns the document's name, with an extension from which VS Code infers the language. */
function proposalName({ uri, languageId }: vscode.TextDocument): string {
  const name = uri.path.split('/').at(-1) || 'Query';
  const extension = languageId === 'markdown' ? '.md' : '.apl';
  return /\.(?:apl|md|markdown)$/i.test(name) ? name : `${name}${extension}`;
}
