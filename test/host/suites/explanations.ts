// The page of a problem: from a click on its code, from the light bulb, and from the palette.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openApl, problem, until } from '../editing.ts';
import { withWindow } from '../window.ts';

const misspelt = 'print n = strl$0enn("abc")\n';

/** Waits for a tab with the page of a code, shown as a page and not as its source. */
async function shownPage(code: string): Promise<vscode.Tab> {
  const path = `/${code}.md`;
  return until(`The page of ${code}`, () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input }) => input instanceof vscode.TabInputCustom && input.uri.path === path),
  );
}

describe('the page of a problem', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens on a click on the code in the hover', async () => {
    const { document } = await openApl(misspelt);
    const found = await problem(document, /strlenn/);
    assert.ok(typeof found.code === 'object' && found.code.value === 'unknown-function');
    await vscode.commands.executeCommand('editor.action.showHover');
    await withWindow(async (page) => {
      await page.locator('.monaco-hover a.code-link').first().click();
    });
    assert.match((await shownPage('unknown-function')).label, /unknown-function/);
  });

  it('opens from the light bulb', async () => {
    const { document, selection } = await openApl(misspelt);
    await problem(document, /strlenn/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      selection,
    );
    const explain = actions.find(({ title }) => title === 'Explain unknown-function');
    const { command, arguments: args = [] } = explain?.command ?? assert.fail();
    await vscode.commands.executeCommand(command, ...args);
    await shownPage('unknown-function');
  });

  it('opens for the problem at the cursor, with what it says', async () => {
    const { document } = await openApl('print n = 1\n| where n $0= 2\n');
    await problem(document, /==/);
    await vscode.commands.executeCommand('aplomb.explainProblem');
    const { input } = await shownPage('single-equals');
    const { uri } = input as vscode.TabInputCustom;
    const page = await vscode.workspace.openTextDocument(uri);
    assert.match(page.getText(), /^# single-equals\n/);
  });
});
