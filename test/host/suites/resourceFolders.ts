// Export Resources and Apply Resources: a folder is written, a file of it edited, the plan reviewed and applied.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { PullPlan } from '../../../resources/src/folder/pull.ts';
import { answering } from '../dialogs.ts';
import { until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { takePictures } from '../pictures.ts';
import { withWindow } from '../window.ts';

const folder = () =>
  vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri, 'resources');
const at = (path: string) => vscode.Uri.joinPath(folder(), path);
const read = async (path: string) =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(at(path)));
const write = (path: string, text: string) =>
  vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
const apply = () =>
  vscode.commands.executeCommand<string | undefined>('aplomb.applyResources', folder());

interface Monitor {
  readonly id: string;
  readonly name: string;
  readonly aplQuery: string;
  readonly threshold: number;
}

const monitors = async (start: string) =>
  ((await askLocal('GET', '/v2/monitors')) as Monitor[]).filter(({ name }) =>
    name.startsWith(start),
  );

describe('resources in a folder', () => {
  after(() => vscode.workspace.fs.delete(folder(), { recursive: true }));

  it('are exported, edited, reviewed as a plan and applied, without what is not selected', async () => {
    // Starts the local deployment.
    await vscode.commands.executeCommand('aplomb.refreshMonitors');
    for (const [index, name] of ['folder-errors', 'folder-slow'].entries()) {
      await askLocal('POST', '/v2/monitors', {
        name,
        type: 'Threshold',
        aplQuery: "['orders']\n| where status >= 500\n| count",
        threshold: index,
      });
    }
    const plan = await vscode.commands.executeCommand<PullPlan>('aplomb.exportResources', folder());
    assert.ok(plan.created.length >= 5);
    assert.equal(
      await read('monitors/folder-errors.apl'),
      "['orders']\n| where status >= 500\n| count\n",
    );

    // Unsaved, as a person may have it.
    const document = await vscode.workspace.openTextDocument(at('monitors/folder-errors.apl'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(1).range, '| where status >= 400');
    await vscode.workspace.applyEdit(edit);
    const other = await read('monitors/folder-slow.json');
    await write('monitors/folder-slow.json', other.replace('"threshold": 1', '"threshold": 9'));
    const applying = apply();
    await withWindow(async (page) => {
      const list = page.locator('.quick-input-widget', { hasText: 'Apply Resources to' });
      await list.getByText('monitor "folder-slow"').waitFor();
      const { activeTextEditor } = vscode.window;
      assert.match(
        activeTextEditor?.document.getText() ?? '',
        /^-\| where status >= 500\n\+\| where status >= 400$/m,
      );
      // The plan is in view, and follows the step that the keys are on.
      const widget = await page.locator('.quick-input-widget').boundingBox();
      const plan = page.locator('.editor-instance', { hasText: 'Plan for Local' });
      const editor = await plan.boundingBox();
      assert.ok(widget && editor);
      assert.ok(editor.y >= widget.y + widget.height, JSON.stringify({ widget, editor }));
      await takePictures('apply');
      for (const name of ['folder-errors', 'folder-slow']) {
        await page.keyboard.press('ArrowDown');
        await until(`The step of ${name} in the plan`, () => {
          const editor = vscode.window.activeTextEditor;
          const line = editor?.document.lineAt(editor.selection.active.line).text ?? '';
          return line.startsWith(`~ monitors/${name}.json: `) || undefined;
        });
      }
      // Left out.
      await list.locator('.monaco-list-row', { hasText: 'monitor "folder-slow"' }).click();
      await page.keyboard.press('Enter');
    });
    const report = await applying;
    assert.equal(vscode.window.tabGroups.all.length, 1, 'the plan is closed');
    assert.match(report ?? '', /^changed monitor "folder-errors"/m);
    const [errors, slow] = await monitors('folder-');
    assert.match(errors?.aplQuery ?? '', />= 400/);
    assert.equal(slow?.threshold, 1);
  });

  it('that somebody changed after the export are a conflict, and are overwritten only if selected', async () => {
    const [slow] = await monitors('folder-slow');
    assert.ok(slow);
    // It was left out above, so that the file differs already.
    await askLocal('PUT', `/v2/monitors/${slow.id}`, { ...slow, threshold: 77 });
    const json = await read('monitors/folder-errors.json');
    await write('monitors/folder-errors.json', json.replace('"threshold": 0', '"threshold": 3'));
    const started = async (work: (list: Locator, page: Page) => Promise<void>) => {
      const applying = apply();
      await withWindow(async (page) => {
        const list = page.locator('.quick-input-widget', { hasText: 'Apply Resources to' });
        await list.getByText('Conflict', { exact: true }).waitFor();
        await work(list, page);
      });
      return applying;
    };
    const first = await started(async (list, page) => {
      await list
        .getByText('It was changed on the deployment and in the folder since the export.')
        .waitFor();
      assert.match(
        vscode.window.activeTextEditor?.document.getText() ?? '',
        /1 in conflict[\s\S]*is in conflict\. It was changed on the deployment and[\s\S]*^- +"threshold": 77,?\n\+ +"threshold": 9,?$/m,
      );
      await takePictures('apply-conflict');
      await page.keyboard.press('Enter');
    });
    assert.match(first ?? '', /^changed monitor "folder-errors"/m);
    assert.doesNotMatch(first ?? '', /folder-slow/);
    assert.equal((await monitors('folder-slow'))[0]?.threshold, 77);

    const asked = await answering(['Apply and Overwrite'], async () => {
      const second = await started(async (list, page) => {
        await list.locator('.monaco-list-row', { hasText: 'monitor "folder-slow"' }).click();
        await page.keyboard.press('Enter');
      });
      assert.match(second ?? '', /^changed monitor "folder-slow"/m);
    });
    assert.match(
      asked[0] ?? '',
      /1 to overwrite, although changed on the deployment: monitor "fol/,
    );
    assert.equal((await monitors('folder-slow'))[0]?.threshold, 9);
  });

  it('name what is wrong with a file as a problem, and apply nothing', async () => {
    const text = await read('monitors/folder-slow.json');
    await write('monitors/folder-slow.json', text.replace('"type"', 'type'));
    await write('monitors/folder-errors.apl', "['orders']\n| where (\n");
    assert.equal(await apply(), undefined);
    const problems = await until('The problems of the files', () => {
      const found = vscode.languages
        .getDiagnostics(at('monitors/folder-slow.json'))
        .filter(({ source }) => source === 'Apply Resources');
      return found.length > 0 ? found : undefined;
    });
    assert.match(problems[0]?.message ?? '', /Expected the name of a member/);
    const [errors] = await monitors('folder-errors');
    assert.match(errors?.aplQuery ?? '', />= 400/);
  });

  it('are not written through a link that appears while the export is confirmed', async () => {
    const outside = vscode.Uri.joinPath(folder(), '..', 'outside.json');
    const content = 'private';
    await vscode.workspace.fs.writeFile(outside, new TextEncoder().encode(content));
    const file = at('monitors/folder-slow.json');
    const link = async () => {
      await vscode.workspace.fs.delete(file);
      await symlink(outside.fsPath, file.fsPath);
      return 'Export';
    };
    // The file has an error, so it would be overwritten.
    const asked = await answering([link], async () => {
      const written = vscode.commands.executeCommand('aplomb.exportResources', folder());
      assert.equal(await written, undefined);
    });
    assert.match(asked[0] ?? '', /will be overwritten/);
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(outside)), content);
    await vscode.workspace.fs.delete(outside);
  });
});
