// Queries in the fenced blocks of a Markdown file: lens, keys, hover, completion and problems; and Markdown
// as it was everywhere else.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { focusEditor, goToText, readResults } from '../../../scripts/host/driver.ts';
import { completions, until, workspaceFile } from '../editing.ts';
import { withWindow } from '../window.ts';

const notes = [
  '# Notes',
  '',
  '| | a |',
  '',
  '```apl',
  'print first = 1',
  '| extend b = nothing',
  '```',
  '',
  'Some text',
  '',
  '```kusto',
  'print second = 2',
  '| whree 1',
  '```',
  '',
].join('\n');

describe('Markdown', () => {
  let editor: vscode.TextEditor;

  before(async () => {
    const uri = await workspaceFile('notes.md', notes);
    editor = await vscode.window.showTextDocument(uri);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const putCursor = (text: string) => {
    const { document } = editor;
    const at = document.positionAt(document.getText().indexOf(text) + text.length);
    editor.selection = new vscode.Selection(at, at);
  };

  it('has problems in its blocks', async () => {
    const found = await until('A problem', () => {
      const all = vscode.languages.getDiagnostics(editor.document.uri);
      return all.length > 1 ? all : undefined;
    });
    assert.deepEqual(
      found.map(({ message, range }) => `${range.start.line} ${message.split('.')[0]}`),
      [
        "6 Unknown column 'nothing'",
        "13 Unknown operator 'whree'",
        '13 Expected a condition, but got a long',
      ],
    );
  });

  it('has a lens above each query, which runs it', async () => {
    const shown = await withWindow(async (page) => {
      const lens = page.locator('.codelens-decoration a', { hasText: 'Run' });
      await lens.nth(1).waitFor();
      await lens.nth(1).click();
      return readResults(page, ({ message }) => message.includes('whree'));
    });
    assert.deepEqual(shown.rows, []);
  });

  it('runs the query in the block with Shift+Enter, and breaks the line elsewhere', async () => {
    await editor.edit((edit) => {
      const line = editor.document.lineAt(6);
      edit.replace(line.range, '| extend b = 2');
    });
    await withWindow(async (page) => {
      await focusEditor(page, 'notes.md');
      await goToText(page, 'print first');
      // The key follows the cursor a moment later.
      await page.waitForTimeout(500);
      await page.keyboard.press('Shift+Enter');
      await readResults(page, ({ columns }) => columns.join() === 'first,b');
      await focusEditor(page, 'notes.md');
      await goToText(page, 'Some text');
      await page.keyboard.press('End');
      await page.waitForTimeout(500);
      await page.keyboard.press('Shift+Enter');
      await until('A line break', () =>
        editor.document.getText().includes('Some text\n\n\n```kusto') ? true : undefined,
      );
    });
    assert.equal(editor.document.lineAt(5).text, 'print first = 1');
  });

  it('completes and explains in a block, and not outside', async () => {
    putCursor('| ext');
    assert.ok((await completions(editor)).has('summarize'));
    const hovers = (position: vscode.Position) =>
      vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        editor.document.uri,
        position,
      );
    assert.equal((await hovers(editor.selection.active)).length, 1);
    putCursor('Some te');
    assert.ok(!(await completions(editor)).has('summarize'));
    assert.deepEqual(await hovers(editor.selection.active), []);
  });

  it('keeps a row of a table, and has one pipe in a block', async () => {
    const { document } = editor;
    await withWindow(async (page) => {
      await focusEditor(page, 'notes.md');
      await goToText(page, '| | a');
      await page.keyboard.press('End');
      await page.keyboard.type('\n| | b |');
      await goToText(page, 'extend b');
      await page.keyboard.press('End');
      await page.keyboard.type('\n| take 1');
    });
    await until('One pipe', () => document.getText().includes('= 2\n| take 1\n') || undefined);
    assert.ok(document.getText().includes('| | a |\n| | b |\n'));
  });
});
