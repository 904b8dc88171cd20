// The form of a dataset's fields in the window: what is saved there shows in completion, hover, the grid and
// the tree.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { context, openApl, runQuery, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { withWindow } from '../window.ts';

const dataset = 'described';

/** The frame of the form. */
function formFrame(page: Page): Promise<Frame> {
  return until('The form', async () => {
    for (const frame of page.frames()) {
      const form = frame.locator('.form h2', { hasText: dataset });
      if ((await form.count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  });
}

async function hoverAt(marked: string): Promise<string> {
  const editor = await openApl(marked);
  return until('The hover', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      editor.document.uri,
      editor.selection.active,
    );
    const text = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === 'string' ? content : content.value))
      .join('\n');
    return text === '' ? undefined : text;
  });
}

async function completionsAt(marked: string): Promise<vscode.CompletionItem[]> {
  const editor = await openApl(marked);
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    editor.document.uri,
    editor.selection.active,
  );
  return list.items;
}

/** Whether changes that are not saved have reached the host of the form. */
function hasDraft(): boolean {
  const memory = context().extension.workspaceState;
  return memory.keys().some((key) => key.startsWith('aplomb.fieldsDraft ') && memory.get(key));
}

const nameOf = ({ label }: vscode.CompletionItem) =>
  typeof label === 'string' ? label : label.label;

describe('the form of fields', () => {
  before(async () => {
    // Where no suite has activated the extension and started the deployment before.
    await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
    await context().deployments.service();
    await askLocal('POST', '/v2/datasets', { name: dataset });
    await askLocal('POST', `/v1/ingest/${dataset}`, [
      { took: 1_204.5, secret: 'x', geo: { city: 'Lisbon' } },
    ]);
    context().schema.invalidate([dataset]);
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('saves what completion, hover, the grid and the tree show then', async () => {
    // As the menu of a field in the tree calls it.
    await vscode.commands.executeCommand('aplomb.editFields', {
      kind: 'field',
      dataset,
      field: { name: 'took' },
    });
    await withWindow(async (page) => {
      const frame = await formFrame(page);
      const focused = () =>
        frame.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      await until(
        'The field',
        async () => (await focused()) === 'Description of took' || undefined,
      );
      await frame.getByLabel('Unit of took').focus();
      await frame.getByLabel('Unit of took').selectOption('ms');
      await frame.getByLabel('Description of took').fill('Time to the last byte.');
      await frame.getByLabel('Hidden: secret').check();
      await frame.getByLabel('Map field: geo', { exact: true }).check();
      await frame.getByLabel('Description of took').press('ControlOrMeta+s');
      await frame.locator('.status', { hasText: 'Saved 3 changes.' }).waitFor();
    });
    assert.deepEqual(await askLocal('GET', `/v2/datasets/${dataset}/mapfields`), ['geo']);

    const hover = await hoverAt(`${dataset}\n| where to$0ok > 1\n`);
    assert.match(hover, /took: real, ms/);
    assert.match(hover, /Time to the last byte\\?\./);
    assert.match(await hoverAt(`${dataset}\n| where sec$0ret == ""\n`), /Hidden: completion/);

    const items = await completionsAt(`${dataset}\n| where $0\n`);
    const took = items.find((item) => nameOf(item) === 'took');
    assert.ok(took);
    assert.equal(typeof took.label === 'string' ? '' : took.label.description, 'real, ms');
    assert.ok(!items.some((item) => nameOf(item) === 'secret'), 'a hidden field is left out');

    const { tables } = await runQuery(`${dataset}\n| project took`);
    const [column] = tables[0]?.columns ?? [];
    assert.equal(column?.unit, 'ms');
    assert.equal(column?.description, 'Time to the last byte.');
    await withWindow((page) =>
      until('The unit in the grid', async () => {
        for (const frame of page.frames()) {
          const unit = frame
            .locator('.slick-header-column', { hasText: 'took' })
            .locator('.header-unit');
          if ((await unit.allTextContents().catch((): string[] => [])).includes('ms')) return true;
        }
        return undefined;
      }),
    );

    await runQuery(dataset);
    await withWindow(async (page) => {
      const names = (frame: Frame) => frame.locator('.slick-header-column .header-name');
      const frame = await until('The result', async () => {
        for (const frame of page.frames()) {
          const shown = await names(frame)
            .allTextContents()
            .catch((): string[] => []);
          if (shown.includes('_sysTime') && shown.includes('took')) return frame;
        }
        return undefined;
      });
      assert.ok(!(await names(frame).allTextContents()).includes('secret'), 'it is hidden');
      await frame.getByRole('button', { name: 'Columns' }).click();
      const box = frame.locator('.column-chooser .value', { hasText: 'secret' }).locator('input');
      assert.equal(await box.isChecked(), false);
      await box.check();
      await frame.getByRole('button', { name: 'Done' }).click();
      await names(frame).filter({ hasText: 'secret' }).waitFor();
    });

    const known = await context().schema.fields(dataset);
    const field = known?.fields.find(({ name }) => name === 'took');
    assert.deepEqual([field?.unit, field?.description], ['ms', 'Time to the last byte.']);
  });

  it('keeps what was not saved until the form is opened again', async () => {
    await vscode.commands.executeCommand('aplomb.editFields', dataset);
    await withWindow(async (page) => {
      const frame = await formFrame(page);
      await frame.getByLabel('Description of secret').fill('Not for everybody');
      await until('The draft', () => hasDraft() || undefined);
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('aplomb.editFields', dataset);
    await withWindow(async (page) => {
      const frame = await formFrame(page);
      assert.equal(
        await frame.getByLabel('Description of secret').inputValue(),
        'Not for everybody',
      );
      await frame.getByRole('button', { name: 'Discard' }).click();
      await until('The end of the draft', () => !hasDraft() || undefined);
    });
  });
});
