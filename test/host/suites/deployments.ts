// Another deployment, added as a person adds one: its address and token typed into the input boxes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { completions, openApl, rowsOf, runQuery, until } from '../editing.ts';
import { withWindow } from '../window.ts';

describe('a second deployment', () => {
  let folder = '';
  let other: ChildProcess | undefined;
  let url = '';
  let token = '';

  before(async () => {
    const extension = vscode.extensions.getExtension('aplomb.aplomb');
    assert.ok(extension);
    folder = await mkdtemp(join(tmpdir(), 'aplomb-second-'));
    const bundle = join(extension.extensionPath, 'dist', 'local.cjs');
    const started = spawn(process.execPath, [bundle, '--data', folder, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    other = started;
    const [line] = await once(createInterface({ input: started.stdout }), 'line');
    ({ url, token } = JSON.parse(line));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async (path: string, body: unknown) => {
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, sent);
      assert.equal(answer.status, 200, await answer.text());
    };
    await post('/v2/datasets', { name: 'shipments' });
    await post('/v1/ingest/shipments', [{ carrier: 'north', weight_kg: 4 }]);
  });

  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    if (other && other.exitCode === null) {
      other.kill();
      await once(other, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  it('can be added with its address and token', async () => {
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      const input = page.locator('.quick-input-widget input:visible').first();
      const answers = ['Other address', url, url, 'Second', token];
      const titles = [
        'Deployment: Region',
        'URL of the API',
        'URL of the edge deployment',
        'Deployment: Name',
        'Deployment: Token',
      ];
      for (const [at, answer] of answers.entries()) {
        await page.locator('.quick-input-widget', { hasText: titles[at] ?? '' }).waitFor();
        await input.fill(answer);
        await page.keyboard.press('Enter');
      }
    });
    assert.equal(await added, 'Second');
  });

  it('switching refreshes completion without a restart', async () => {
    const editor = await openApl('shipments\n| where $0\n');
    const fields = (wanted: boolean) => async () => {
      const offered = (await completions(editor)).has('weight_kg');
      return offered === wanted ? true : undefined;
    };
    await until('The fields of the second deployment', fields(true));
    const [row] = rowsOf(await runQuery('shipments\n| project carrier, weight_kg'));
    assert.deepEqual(row, ['north', 4]);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await until('Completion without the second deployment', fields(false));
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Second');
    await until('The fields of the second deployment again', fields(true));
  });
});
