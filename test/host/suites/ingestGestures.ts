// The gestures that open the ingest page, and what a person does on it: the selection of an editor, the clipboard,
// folders, a dialog, a drop, a time range, a check, failed events, and runs out of sight.
import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import { rangeLabel } from '../../../client/src/time/timeRange.ts';
import { treeRow } from '../../../scripts/host/driver.ts';
import {
  ingest,
  ingestButton,
  ingestPage,
  readReport,
  setDataset,
} from '../../../scripts/host/ingestPage.ts';
import { context, rowsOf, runQuery, until, workspaceFile } from '../editing.ts';
import { withWindow } from '../window.ts';

const pictures = process.env.APLOMB_PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/vscode-ingest-${name}.png` });
}

async function count(dataset: string): Promise<unknown> {
  return rowsOf(await runQuery(`['${dataset}'] | count`))[0]?.[0];
}

/** The item of a dataset as the tree hands it to a command. */
const node = (name: string) => ({ kind: 'dataset', dataset: { name, kind: 'dataset' } });

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => JSON.stringify({ n: from + at })).join('\n');

describe('ingest by gesture', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('a selection of an editor, whose lines are those of the document', () =>
    withWindow(async (page) => {
      const content = `# not an event\n${lines(1, 3)}\n{"n":\n${lines(5, 6)}\n# the end`;
      const uri = await workspaceFile('notes.txt', content);
      const editor = await vscode.window.showTextDocument(uri);
      editor.selection = new vscode.Selection(1, 0, 7, 0);
      await vscode.commands.executeCommand('aplomb.ingestSelection');
      const frame = await ingestPage(page, 'notes.txt (lines 2 to 7)');
      assert.equal(await frame.getByLabel('Dataset').inputValue(), 'notes');
      await setDataset(frame, 'gesture-selection');
      await picture(page, 'selection');
      assert.deepEqual(await frame.locator('.preview tbody th').allTextContents(), [
        '2',
        '3',
        '4',
        '6',
        '7',
      ]);
      await ingestButton(frame, 'Line 5').click();
      await until(
        'The line',
        () => vscode.window.activeTextEditor?.selection.active.line === 4 || undefined,
      );
      const tab = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ label }) => label.startsWith('Ingest'));
      assert.ok(tab, 'the page stays');
      await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', 1);
      const again = await ingestPage(page, 'notes.txt (lines 2 to 7)');
      assert.equal(await again.getByLabel('Dataset').inputValue(), 'gesture-selection');
      const { counts } = await ingest(again);
      assert.deepEqual([counts.Read, counts.Stored, counts.Skipped], ['5', '5', '1']);
      assert.equal(await count('gesture-selection'), 5);
    }));

  it('all of an unsaved document', () =>
    withWindow(async (page) => {
      const document = await vscode.workspace.openTextDocument({ content: lines(1, 4) });
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('aplomb.ingestSelection');
      const frame = await ingestPage(page, /Untitled/);
      await setDataset(frame, 'gesture-unsaved');
      assert.equal((await ingest(frame)).counts.Stored, '4');
      assert.equal(await count('gesture-unsaved'), 4);
    }));

  it('the clipboard, into a dataset of the tree', () =>
    withWindow(async (page) => {
      await vscode.env.clipboard.writeText(
        'level=info msg="a b" took=3\nlevel=warn msg=c took=4\n',
      );
      await vscode.commands.executeCommand('aplomb.ingestClipboard', node('gesture-clipboard'));
      const frame = await ingestPage(page, 'Clipboard');
      assert.equal(await frame.getByLabel('Dataset').inputValue(), 'gesture-clipboard');
      assert.equal(await frame.getByLabel('Format').first().inputValue(), 'logfmt');
      assert.equal((await ingest(frame)).counts.Stored, '2');
      assert.deepEqual(
        rowsOf(
          await runQuery("['gesture-clipboard'] | project level, msg, took | order by took asc"),
        ),
        [
          ['info', 'a b', 3],
          ['warn', 'c', 4],
        ],
      );
    }));

  it('an empty clipboard says what to do', async () => {
    await vscode.env.clipboard.writeText(' \n');
    const before = vscode.window.tabGroups.activeTabGroup.tabs.length;
    await vscode.commands.executeCommand('aplomb.ingestClipboard');
    assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, before);
  });

  it('a folder: its files of known kinds, of which some are left out', () =>
    withWindow(async (page) => {
      const first = await workspaceFile('folder-one.ndjson', lines(1, 3));
      const folder = vscode.Uri.joinPath(first, '..', 'ingest-folder');
      const write = (path: string, text: string) =>
        vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, path), Buffer.from(text));
      await write('a.ndjson', lines(1, 3));
      await write('deep/b.json', `[${lines(4, 5).replace('\n', ',')}]`);
      await write('deep/c.csv', 'n\n7\n8\n');
      await write('deep/picture.png', 'no');
      await write('node_modules/d.json', '{}');
      await vscode.commands.executeCommand('aplomb.ingestFiles', folder, [folder]);
      const frame = await ingestPage(page, 'a.ndjson');
      assert.equal(await frame.getByLabel('Dataset').inputValue(), 'ingest-folder');
      await setDataset(frame, 'gesture-folder');
      assert.deepEqual(await frame.locator('.files .name').allTextContents(), [
        'a.ndjson',
        'deep/b.json',
        'deep/c.csv',
      ]);
      await frame.getByLabel('Ingest b.json').uncheck();
      await picture(page, 'folder');
      const { headline, counts } = await ingest(frame);
      assert.equal(headline, "Ingested 2 of 2 files into 'gesture-folder'.");
      assert.equal(counts.Stored, '5');
      assert.deepEqual(
        rowsOf(await runQuery("['gesture-folder'] | project n | order by n asc")).flat(),
        [1, 2, 3, 7, 8],
      );
    }));

  it('a folder with links: they are unticked, and no file outside the folder is read', () =>
    withWindow(async (page) => {
      const secret = await workspaceFile('private-key', 'BEGIN OPENSSH PRIVATE KEY');
      const folder = vscode.Uri.joinPath(secret, '..', 'linked-folder');
      await vscode.workspace.fs.writeFile(
        vscode.Uri.joinPath(folder, 'a.ndjson'),
        Buffer.from(lines(1, 3)),
      );
      const link = (target: string, name: string) =>
        symlink(target, vscode.Uri.joinPath(folder, name).fsPath);
      await link('a.ndjson', 'b.ndjson');
      await link(secret.fsPath, 'key.log');
      for (const given of [folder, [folder]]) {
        await vscode.commands.executeCommand('aplomb.ingestFiles', given);
        const frame = await ingestPage(page, 'a.ndjson');
        const links = await frame.locator('.files .linked-path').allTextContents();
        assert.equal(links.length, 2);
        assert.equal(links[0], 'link to a.ndjson');
        assert.match(links[1] ?? '', /^link to .*private-key, outside the folder$/);
        const boxes = frame.locator('.files input[type=checkbox]');
        assert.deepEqual(
          await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked)),
          [true, false, false],
        );
        // A click, since the box is cleared again once the file turns out not to be readable.
        await boxes.nth(2).click();
        await frame.locator('.files .status', { hasText: 'cannot be read' }).waitFor();
        await picture(page, 'links');
        assert.doesNotMatch((await frame.locator('body').textContent()) ?? '', /OPENSSH/);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      }
    }));

  it('a link among several selected files: it is unticked', () =>
    withWindow(async (page) => {
      const file = await workspaceFile('selected.ndjson', lines(1, 2));
      const link = vscode.Uri.joinPath(file, '..', 'selected-link.ndjson');
      await symlink(file.fsPath, link.fsPath);
      await vscode.commands.executeCommand('aplomb.ingestFiles', link, [file, link]);
      const frame = await ingestPage(page, 'selected.ndjson');
      assert.deepEqual(await frame.locator('.files .linked-path').allTextContents(), [
        'link to selected.ndjson',
      ]);
      assert.equal(await frame.getByLabel('Ingest selected-link.ndjson').isChecked(), false);
    }));

  it('files dropped on a dataset of the tree', () =>
    withWindow(async (page) => {
      const file = await workspaceFile('dropped.ndjson', lines(1, 2));
      await vscode.commands.executeCommand('aplomb.ingestFiles', [file], node('gesture-unsaved'));
      const frame = await ingestPage(page, 'dropped.ndjson');
      await frame.getByText('Existing dataset on Local').waitFor();
      assert.equal((await ingest(frame)).counts.Stored, '2');
      assert.equal(await count('gesture-unsaved'), 6);
    }));
});

describe('files from outside the browser', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('are ingested into the dataset that they are dropped on', () =>
    withWindow(async (page) => {
      const file = await workspaceFile('outside-seed.ndjson', lines(1, 2));
      await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'gesture-outside');
      await vscode.commands.executeCommand('aplomb.datasets.focus');
      const row = await treeRow(page, 'Datasets', 'gesture-outside');
      const transfer = await page.evaluateHandle(
        (text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'outside.ndjson'));
          return data;
        },
        lines(3, 5),
      );
      for (const event of ['dragenter', 'dragover', 'drop'])
        await row.dispatchEvent(event, { dataTransfer: transfer });
      const frame = await ingestPage(page, 'outside.ndjson');
      await frame.getByText('Existing dataset on Local').waitFor();
      assert.equal((await ingest(frame)).counts.Stored, '3');
      assert.equal(await count('gesture-outside'), 5);
    }));

  it('that cannot be read are not chosen, and say why', () =>
    withWindow(async (page) => {
      // A browser gives a folder as a file whose bytes cannot be read.
      const folder = { name: 'photos', data: () => Promise.reject(new Error('not a file')) };
      const file = { name: 'unread-seed.ndjson', data: async () => Buffer.from(lines(1, 2)) };
      await vscode.commands.executeCommand('aplomb.ingestFiles', [folder, file]);
      const frame = await ingestPage(page, 'photos');
      await frame.getByText('cannot be read').first().waitFor();
      assert.equal(await frame.getByLabel('Ingest photos').isChecked(), false);
      assert.equal(await frame.getByLabel('Dataset', { exact: true }).inputValue(), 'unread-seed');
      await picture(page, 'unread');
      assert.equal((await ingest(frame)).counts.Stored, '2');
    }));
});

describe('on the ingest page, a person', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  beforeEach(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));

  it('sets the time range to that of the file, and queries what arrived', () =>
    withWindow(async (page) => {
      const rows = Array.from(
        { length: 40 },
        (_, at) => `2019-03-${String(1 + (at % 20)).padStart(2, '0')},${at}`,
      );
      const uri = await workspaceFile('march.csv', `date,n\n${rows.join('\n')}\n`);
      await vscode.commands.executeCommand('aplomb.setTimeRange', '1h');
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'march.csv');
      await setDataset(frame, 'gesture-march');
      await picture(page, 'outside');
      await ingestButton(frame, 'Set Time Range to 2019-03-01 to 2019-03-20').click();
      await frame.locator('.outside').waitFor({ state: 'hidden' });
      assert.equal(await count('gesture-march').catch(() => 'none'), 'none');
      await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', 0);
      const again = await ingestPage(page, 'march.csv');
      await vscode.commands.executeCommand('aplomb.setTimeRange', '1h');
      await ingest(again);
      await picture(page, 'report');
      const windowRange = rangeLabel(context().timeRange.value);
      await ingestButton(again, 'Query What Arrived').click();
      const document = await until('The query', () => {
        const shown = vscode.window.activeTextEditor?.document;
        return shown?.getText().includes('gesture-march') ? shown : undefined;
      });
      assert.match(document.getText(), /^\/\/ range: \d{4}-.*\n\n\['gesture-march'\]\n\| take 100/);
      assert.equal(rangeLabel(context().timeRange.value), windowRange);
      assert.equal(rowsOf(await runQuery(`${document.getText().trimEnd()}$0`)).length, 40);
    }));

  it('checks a file, of which nothing is sent', () =>
    withWindow(async (page) => {
      const uri = await workspaceFile(
        'checked.ndjson',
        `${lines(1, 150)}\n{"n":\n${lines(152, 200)}\n`,
      );
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'checked.ndjson');
      await setDataset(frame, 'gesture-checked');
      await ingestButton(frame, 'Check Only').click();
      const { headline } = await readReport(frame);
      assert.equal(headline, 'checked.ndjson has 199 events and 1 broken event. Nothing was sent.');
      await ingestButton(frame, 'Line 151').waitFor();
      await assert.rejects(count('gesture-checked'), /Unknown dataset/);
    }));

  it('leaves the page by Cancel, and has the keyboard in the window', () =>
    withWindow(async (page) => {
      const uri = await workspaceFile('left.ndjson', lines(1, 3));
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'left.ndjson');
      await ingestButton(frame, 'Cancel').click();
      await page.locator('.tab', { hasText: 'Ingest' }).waitFor({ state: 'detached' });
      await until('The keyboard', async () =>
        (await page.evaluate(() => document.activeElement !== document.body)) ? true : undefined,
      );
    }));

  it('opens failed events, fixes them, and sends them again', () =>
    withWindow(async (page) => {
      const uri = await workspaceFile('failing.ndjson', `${lines(1, 5)}\n{"n":6\n${lines(7, 9)}\n`);
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'failing.ndjson');
      await setDataset(frame, 'gesture-failing');
      const { counts } = await ingest(frame);
      assert.deepEqual([counts.Stored, counts.Skipped], ['8', '1']);
      await picture(page, 'failed');
      await ingestButton(frame, 'Open Failed Events').click();
      const editor = await until('The failed events', () => {
        const shown = vscode.window.activeTextEditor;
        return shown?.document.getText().includes('{"n":6') ? shown : undefined;
      });
      assert.equal(editor.document.getText(), '{"n":6\n');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 6), '}'));
      await editor.document.save();
      assert.equal(await readFile(editor.document.uri.fsPath, 'utf8'), '{"n":6}\n');
      await vscode.commands.executeCommand('aplomb.ingestFiles', editor.document.uri);
      const next = await ingestPage(page, /failed/);
      assert.equal(await next.getByLabel('Dataset').inputValue(), 'gesture-failing');
      assert.equal((await ingest(next)).counts.Stored, '1');
      assert.equal(await count('gesture-failing'), 9);
    }));

  it('sees why a file cannot be read, and what to do', () =>
    withWindow(async (page) => {
      const uri = await workspaceFile('gone.ndjson', lines(1, 2));
      await vscode.workspace.fs.delete(uri);
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'gone.ndjson');
      assert.match(
        (await frame.textContent('.file > .message.error')) ?? '',
        /gone\.ndjson does not exist\. It may have been moved or deleted\./,
      );
      assert.equal(await ingestButton(frame, 'Ingest').isDisabled(), true);
    }));

  it('closes the page during a run, which goes on', () =>
    withWindow(async (page) => {
      const uri = await workspaceFile('hidden.ndjson', `${lines(1, 60_000)}\n`);
      await vscode.commands.executeCommand('aplomb.ingestFiles', uri);
      const frame = await ingestPage(page, 'hidden.ndjson');
      await setDataset(frame, 'gesture-hidden');
      await ingestButton(frame, 'Ingest').click();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await until(
        'All events',
        async () => (await count('gesture-hidden').catch(() => 0)) === 60_000 || undefined,
      );
    }));
});
