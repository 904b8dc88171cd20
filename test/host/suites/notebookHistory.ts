// Runs of cells in the history, and the way back from it to the cell.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { treeRow } from '../../../scripts/host/driver.ts';
import { until } from '../editing.ts';
import { storageFolder } from '../local.ts';
import { fileText, openNotebook, runAll } from '../notebookPages.ts';
import { withWindow } from '../window.ts';

interface Entry {
  readonly query: string;
  readonly outcome: string;
  readonly document?: string;
  readonly written?: string;
  readonly rowCount?: number;
  readonly range: string;
}

const marker = `marker_${Date.now()}`;

/** The entries of this test, oldest first, once there are as many. */
function entries(count: number): Promise<Entry[]> {
  return until('The entries of the history', async () => {
    const text = await readFile(join(storageFolder(), 'history.jsonl'), 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line.includes(marker));
    return lines.length === count ? lines.map((line) => JSON.parse(line) as Entry) : undefined;
  });
}

describe('a run of a notebook in the history', () => {
  const disabled = '// aplomb-disable-file unknown-dataset';
  let notebook: vscode.NotebookDocument;

  before(async () => {
    notebook = await openNotebook(
      fileText([
        { kind: 'apl', source: [`let ${marker} = 2;`] },
        { kind: 'apl', range: 'last 3 days', source: ['// Mine', `print n = ${marker}`] },
        { kind: 'apl', source: [disabled, '', `no_such_${marker} | count`] },
      ]),
    );
    await runAll(notebook);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is an entry with its outcome, its range and the text that was sent', async () => {
    const [answered, refused] = await entries(2);
    assert.equal(answered?.query, `let ${marker} = 2;\n// Mine\nprint n = ${marker}`);
    assert.equal(answered?.written, `// Mine\nprint n = ${marker}`);
    assert.equal(answered?.outcome, 'result');
    assert.equal(answered?.rowCount, 1);
    assert.equal(answered?.range, 'last 3 days');
    assert.equal(answered?.document, notebook.uri.toString());
    assert.equal(refused?.outcome, 'failed');
    await vscode.commands.executeCommand('aplomb.history.focus');
    await withWindow((page) => treeRow(page, 'History', 'Mine'));
  });

  it('leads back to the cell, after the notebook was closed too', async () => {
    const [entry] = await entries(2);
    for (const closed of [false, true]) {
      if (closed) await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('aplomb.openHistoryEntry', { entry });
      const line = await until('The cursor in the cell', () => {
        const editor = vscode.window.activeTextEditor;
        const isThere = editor?.document.getText() === `// Mine\nprint n = ${marker}`;
        return isThere ? editor?.selection.active.line : undefined;
      });
      assert.equal(line, 0);
      assert.equal(vscode.window.activeNotebookEditor?.selection.start, 1);
    }
  });

  it('is run again from there as it was', async () => {
    const [entry] = await entries(2);
    const end = await vscode.commands.executeCommand('aplomb.runHistoryEntry', { entry });
    assert.equal(end, 'result');
    assert.equal((await entries(3)).at(-1)?.query, entry?.query);
  });
});
