// Run to Here: the rows after the stage at the cursor, from a command and from a lens, and the service's
// errors of such a run at their place in the text.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type HeldResult, openApl, problem, resultsOf, rowsOf, until } from '../editing.ts';

async function rows(command: string, ...args: unknown[]): Promise<unknown[][]> {
  const [result] = await resultsOf(command, ...args);
  return rowsOf(result as HeldResult);
}

describe('run to here', () => {
  it('runs the query up to the stage at the cursor, with the lets before it', async () => {
    const table = 'let least = 2;\ndatatable (n: long) [1, 2, 3]\n';
    await openApl(`${table}| where n$0 >= least\n| count\n`);
    assert.deepEqual(await rows('aplomb.runToHere'), [[2], [3]]);
  });

  it('runs a table in brackets as a separate query', async () => {
    await openApl(
      'print n = 1\n| join (\n  datatable (n: long) [1, 4]\n  | where n$0 > 3\n  | count\n) on n\n',
    );
    assert.deepEqual(await rows('aplomb.runToHere'), [[4]]);
  });

  it('is shown above each stage when the setting asks for it', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb');
    await settings.update('codeLens.runToHere', true, vscode.ConfigurationTarget.Global);
    try {
      const { document } = await openApl('print n = 1\n| extend m = 2\n| project m\n');
      const lens = await until('A lens above the second line', async () => {
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          document.uri,
          10,
        );
        return found.find(({ range, command }) => range.start.line === 1 && command !== undefined);
      });
      const { command, title, arguments: args = [] } = lens.command as vscode.Command;
      assert.equal(title, 'Run to here');
      assert.deepEqual(await rows(command, ...args), [[1, 2]]);
    } finally {
      await settings.update('codeLens.runToHere', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('marks what the service refuses at its place in the text', async () => {
    const { document } = await openApl(
      'let least = 2;\nprint n = 1\n| join (\n  // aplomb-disable-next-line unknown-dataset\n  no_such_rows\n  | where n$0 > least\n) on n\n',
    );
    await vscode.commands.executeCommand('aplomb.runToHere');
    const found = await problem(document, /no_such_rows/);
    assert.equal(found.source, 'APL service');
    assert.equal(document.getText(found.range), 'no_such_rows');
  });
});
