// Outline, folding, growing selections, highlights, definition, references, links and symbols as the
// editor shows them, a rename typed into the editor's own box and undone, and files that are not open.
import assert from 'node:assert/strict';
import { unlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openApl, until, workspaceFile } from '../editing.ts';
import { withWindow } from '../window.ts';

const text = `// Slow requests, see https://example.com/runbook
let least = 5;
datatable (took:long, page:string) [
  7, 'a',
  9, 'b',
]
| extend slow = took > least
| where slow
| summarize hits = count() by page
`;

/** Asks again until the language server, which may still be starting, answers with something. */
function ask<T>(
  command: string,
  usable: (answer: T) => boolean,
  ...args: readonly unknown[]
): Promise<T> {
  return until(command, async () => {
    const answer = await vscode.commands.executeCommand<T | undefined>(command, ...args);
    return answer !== undefined && usable(answer) ? answer : undefined;
  });
}

const some = (answer: readonly unknown[]) => answer.length > 0;

/** The position of the first occurrence of a string in a document, or of the first one after `after`. */
function positionOf(document: vscode.TextDocument, words: string, after = ''): vscode.Position {
  const content = document.getText();
  const from = content.indexOf(after);
  return document.positionAt(content.indexOf(words, from + after.length) + 1);
}

describe('finding the way in a query', () => {
  it('shows an outline of queries, lets and stages', async () => {
    const { document } = await openApl(text);
    const [query] = await ask<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      some,
      document.uri,
    );
    assert.equal(query?.name, 'Slow requests, see https://example.com/runbook');
    assert.deepEqual(
      query?.children.map(({ name }) => name).filter((name) => !name.startsWith('datatable')),
      ['least', 'extend', 'where', 'summarize'],
    );
    assert.equal(query?.children.at(-1)?.detail, 'hits = count() by page');
  });

  it('folds the query and the list in it', async () => {
    const { document } = await openApl(text);
    const folds = await ask<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      some,
      document.uri,
    );
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [
        [1, 8],
        [2, 4],
      ],
    );
  });

  it('grows a selection from the word to the stage', async () => {
    const editor = await openApl(text.replace('took > least', 'to$0ok > least'));
    const { document } = editor;
    await ask<vscode.SelectionRange[]>(
      'vscode.executeSelectionRangeProvider',
      (ranges) => ranges[0]?.parent !== undefined,
      document.uri,
      [editor.selection.active],
    );
    const grown: string[] = [];
    while (grown.length < 5) {
      await vscode.commands.executeCommand('editor.action.smartSelect.expand');
      const selected = document.getText(editor.selection);
      if (selected !== grown.at(-1)) grown.push(selected);
    }
    assert.deepEqual(grown, [
      'took',
      'took > least',
      'slow = took > least',
      'extend slow = took > least',
      '| extend slow = took > least',
    ]);
  });

  it('highlights where a column is made and read', async () => {
    const { document } = await openApl(text);
    const found = await ask<vscode.DocumentHighlight[]>(
      'vscode.executeDocumentHighlights',
      (answer) => answer.some(({ kind }) => kind === vscode.DocumentHighlightKind.Write),
      document.uri,
      positionOf(document, 'slow', 'where'),
    );
    assert.deepEqual(
      found.map(({ range, kind }) => [range.start.line, kind]),
      [
        [6, vscode.DocumentHighlightKind.Write],
        [7, vscode.DocumentHighlightKind.Read],
      ],
    );
  });

  it('goes to where a column was made, and back to its uses', async () => {
    const { document } = await openApl(text);
    const [made] = await ask<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      some,
      document.uri,
      positionOf(document, 'slow', 'where'),
    );
    assert.equal(document.getText(made?.range), 'slow');
    assert.equal(made?.range.start.line, 6);
    const uses = await ask<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      some,
      document.uri,
      made?.range.start,
    );
    assert.deepEqual(
      uses.map(({ range }) => range.start.line),
      [6, 7],
    );
  });

  it('links an address in a comment', async () => {
    const { document } = await openApl(text);
    const links = await ask<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      some,
      document.uri,
    );
    assert.equal(links[0]?.target?.toString(), 'https://example.com/runbook');
  });
});

describe('renaming in a query', () => {
  it('renames everywhere from the box of the editor, and is undone in one step', async () => {
    const editor = await openApl(text.replace('where slow', 'where sl$0ow'));
    const { document } = editor;
    await ask('vscode.prepareRename', Boolean, document.uri, editor.selection.active);
    void vscode.commands.executeCommand('editor.action.rename');
    await withWindow(async (page) => {
      const box = page.locator('.rename-box input');
      await box.waitFor({ state: 'visible' });
      assert.equal(await box.inputValue(), 'slow');
      await box.fill('too slow');
      await box.press('Enter');
    });
    const expected = text.replaceAll('slow', "['too slow']");
    await until('The new name', () => document.getText() === expected || undefined);
    await vscode.commands.executeCommand('undo');
    await until('The old name', () => document.getText() === text || undefined);
  });

  it('names a column that had no written name', async () => {
    const { document } = await openApl('print 5\n| where print_0 > 1\n');
    const edit = await ask<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      ({ size }) => size > 0,
      document.uri,
      positionOf(document, 'print_0'),
      'five',
    );
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.getText(), 'print five = 5\n| where five > 1\n');
  });

  it('says why a function keeps its name', async () => {
    const { document } = await openApl(text);
    await until('A refusal', async () => {
      try {
        await vscode.commands.executeCommand(
          'vscode.prepareRename',
          document.uri,
          positionOf(document, 'count', 'hits = '),
        );
      } catch (error) {
        return /count\(\) is a built-in function/.test(String(error)) || undefined;
      }
      return undefined;
    });
  });
});

describe('finding queries of the workspace', () => {
  const symbols = (wanted: string) =>
    vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      wanted,
    );

  it('finds those of files that are not open, as the files change, appear and go', async () => {
    await openApl(text);
    const file = await workspaceFile('alerts.apl', '// Failing logins\nlogs\n| count\n');
    const found = await until('The query of the file', async () =>
      (await symbols('failing')).find(({ name }) => name === 'Failing logins'),
    );
    assert.equal(found.location.uri.toString(), file.toString());
    assert.equal(found.location.range.end.line, 2);
    await workspaceFile('alerts.apl', '// Failing pages\nlogs\n');
    await until('The changed query', async () =>
      (await symbols('failing')).find(({ name }) => name === 'Failing pages'),
    );
    await unlink(file.fsPath);
    await until('Its end', async () =>
      (await symbols('failing')).length === 0 ? true : undefined,
    );
  });

  it('finds the uses of a dataset in them', async () => {
    const file = await workspaceFile('uses.apl', "// Uses\nunion elsewhere, ['my data']\n");
    const { document } = await openApl("['my data']\n| count\n");
    const uses = await ask<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      (answer) => answer.length > 1,
      document.uri,
      new vscode.Position(0, 4),
    );
    assert.deepEqual(
      uses.map(({ uri, range }) => [uri.toString(), range.start.line]).sort(),
      [
        [document.uri.toString(), 0],
        [file.toString(), 1],
      ].sort(),
    );
    await unlink(file.fsPath);
  });
});
