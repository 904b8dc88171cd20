// Another deployment, added as a person adds one: its address and token typed into the input boxes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { completions, context, openApl, rowsOf, runQuery, until } from '../editing.ts';
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

  /** Adds the deployment, which becomes the active one. */
  const add = async () => {
    const adding = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      const input = page.locator('.quick-input-widget input:visible').first();
      const answers = ['Other address', url, url, 'Second', 'No', token];
      const titles = [
        'Deployment: Region',
        'URL of the API',
        'URL of the edge deployment',
        'Deployment: Name',
        'Deployment: Production',
        'Deployment: Token',
      ];
      for (const [at, answer] of answers.entries()) {
        await page.locator('.quick-input-widget', { hasText: titles[at] ?? '' }).waitFor();
        await input.fill(answer);
        await page.keyboard.press('Enter');
      }
    });
    return await adding;
  };
  /** Each test needs the deployment; the first one that runs adds it. */
  let added: ReturnType<typeof add> | undefined;
  beforeEach(async () => {
    added ??= add();
    await added;
  });

  it('can be added with its address and token', async () => {
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

  it('is selected for a file or for the window, each without the other', async () => {
    const { document } = await openApl('print 1$0\n');
    const active = () => context().deployments.active.name;
    const select = (part: string, name: string) =>
      withWindow(async (page) => {
        const selected = vscode.commands.executeCommand('aplomb.selectDeployment');
        const rows = page.locator('.quick-input-list .monaco-list-row');
        await rows.first().waitFor();
        const labels = await rows.evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('.quick-input-list-separator')?.textContent ?? '',
            row.querySelector('.label-name')?.textContent ?? '',
          ]),
        );
        const from = labels.findIndex(([group]) => group === part);
        const at = labels.findIndex(([, label], index) => index >= from && label?.endsWith(name));
        assert.ok(from >= 0 && at >= from, JSON.stringify(labels));
        await rows.nth(at).click();
        await selected;
      });
    assert.equal(active(), 'Second');
    await select('For This File', 'Local');
    assert.equal(document.getText(), '// deployment: Local\nprint 1\n');
    assert.equal(active(), 'Second');
    await select('For This Window', 'Local');
    assert.equal(active(), 'Local');
    await select('For This File', 'Second');
    assert.equal(document.getText(), '// deployment: Second\nprint 1\n');
    assert.equal(active(), 'Local');
    await select('For This File', 'Same as the window, Local');
    assert.equal(document.getText(), 'print 1\n');
    await select('For This Window', 'Second');
    assert.equal(document.getText(), 'print 1\n');
    assert.equal(active(), 'Second');
  });
});
