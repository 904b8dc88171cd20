// Read-only documents for plans and reports, and comparisons of deployed and local versions.
import * as vscode from 'vscode';
import { type Step, sideTexts } from '../../../../resources/src/folder/plan.ts';
import { TextDocuments } from '../../host/textDocuments.ts';
import { showDiff } from '../../ui/commands.ts';
import { allTabs, urisIn } from '../files/editors.ts';

const SCHEME = 'aplomb-review';

const pathOf = (name: string) => `/${name}.diff`;

export class ReviewDocuments extends TextDocuments {
  constructor() {
    super(SCHEME);
  }

  /** Opens text that is colored as a diff. */
  async showText(name: string, text: string): Promise<void> {
    await this.show({ path: pathOf(name) }, text, 'diff', { preview: true });
  }

  /** Opens text below the other editors, so that a quick pick at the top of the window doesn't cover it. */
  async showBelow(name: string, text: string): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.newGroupBelow');
    await this.showText(name, text);
  }

  reveal(name: string, line: string): void {
    const path = pathOf(name);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document: { uri } }) => uri.scheme === SCHEME && uri.path === path,
    );
    if (editor === undefined) return;
    const at = editor.document.getText().split('\n').indexOf(line);
    if (at < 0) return;
    const range = editor.document.lineAt(at).range;
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
  }

  /** Closes the documents, and the editor group below if it is then empty. */
  async close(): Promise<void> {
    const tabs = allTabs().filter(({ input }) =>
      urisIn(input).some(({ scheme }) => scheme === SCHEME),
    );
    await vscode.window.tabGroups.close(tabs, true);
  }

  /** Opens a diff of a step's deployed and local versions. `target` is the deployment's name. */
  async compare(step: Step, target: string): Promise<void> {
    const { before, after } = sideTexts(step);
    const left = this.put({ path: `/deployment/${step.path}` }, before);
    const right = this.put({ path: `/folder/${step.path}` }, after);
    const title = `${step.path} (${target} ↔ folder)`;
    await showDiff(left, right, title, { preview: true, preserveFocus: true });
  }
}
