// Diagnostics that the editor asks the server for: once each, after typing, after the fields of a dataset
// have changed, and silenced by a comment, a setting and the light bulb.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { completions, endOf, openApl, problem, until, workspaceFile } from '../editing.ts';
import { askLocal } from '../local.ts';
import { withWindow } from '../window.ts';

/** Waits until the document has problems of exactly these codes, in the order of the text. */
function codes(document: vscode.TextDocument, ...wanted: string[]): Promise<vscode.Diagnostic[]> {
  return until(`The problems ${wanted.join(', ') || 'none'}`, () => {
    const found = vscode.languages
      .getDiagnostics(document.uri)
      .sort((a, b) => a.range.start.compareTo(b.range.start));
    return found.map(codeOf).join() === wanted.join() ? found : undefined;
  });
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

function replaceAll({ document }: vscode.TextEditor, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  return vscode.workspace.applyEdit(edit);
}

describe('diagnostics', () => {
  const ingest = async (events: object[]) => {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const file = await workspaceFile('readings.ndjson', text);
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'readings');
  };
  const setting = () => vscode.workspace.getConfiguration('aplomb.diagnostics');

  before(() => ingest([{ celsius: 20.5 }]));
  afterEach(async () => {
    await setting().update('disabled', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are reported once each, and follow what is typed', async () => {
    const editor = await openApl('readings\n| summarize coutn(), maxx(celsius)\n');
    await codes(editor.document, 'unknown-function', 'unknown-function');
    await replaceAll(editor, 'readings\n| summarize count(), maxx(celsius)\n');
    await codes(editor.document, 'unknown-function');
    await replaceAll(editor, 'readings\n| summarize count(), max(celsius)\n');
    await codes(editor.document);
  });

  it('follow the fields of a dataset', async () => {
    const { document } = await openApl('readings\n| where humidity > 50\n');
    await codes(document, 'unknown-column');
    await ingest([{ celsius: 21.5, humidity: 40 }]);
    await codes(document);
  });

  it('are silenced by a comment, which is faded once it is of no use', async () => {
    const editor = await openApl(
      'readings\n// aplomb-disable-next-line unknown-column\n| where pressure > 1\n| where celsius > 1\n',
    );
    await codes(editor.document);
    await replaceAll(
      editor,
      'readings\n// aplomb-disable-next-line unknown-column\n| where celsius > 1\n',
    );
    const [found] = await codes(editor.document, 'unused-directive');
    assert.deepEqual(found?.tags, [vscode.DiagnosticTag.Unnecessary]);
    assert.equal(found?.severity, vscode.DiagnosticSeverity.Hint);
  });

  it('are silenced by a setting, at once', async () => {
    const { document } = await openApl('readings\n| where pressure > 1\n');
    await codes(document, 'unknown-column');
    await setting().update('disabled', ['unknown-column'], vscode.ConfigurationTarget.Global);
    await codes(document);
    await setting().update('disabled', undefined, vscode.ConfigurationTarget.Global);
    await codes(document, 'unknown-column');
  });
});

describe('a dataset created outside the extension', () => {
  it('is known after the query that read it: no diagnostic, in completion and in the tree', async () => {
    await vscode.commands.executeCommand('aplomb.startLocal');
    const editor = await openApl('outside$0');
    const { document } = editor;
    await problem(document, /Unknown dataset 'outside'/);
    await askLocal('POST', '/v2/datasets', { name: 'outside' });
    await askLocal('POST', '/v1/ingest/outside', [{ celsius: 1 }]);
    assert.ok(!(await completions(editor)).has('outside'));
    assert.equal((await endOf('aplomb.runQuery')).kind, 'result');
    await until('The document without the problem', () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ message }) => /Unknown dataset/.test(message))
        ? undefined
        : true,
    );
    assert.ok((await completions(editor)).has('outside'));
    await vscode.commands.executeCommand('aplomb.datasets.focus');
    await withWindow((page) =>
      page.locator('.monaco-list-row').filter({ hasText: 'outside' }).first().waitFor(),
    );
  });
});
