// What is below the cells of a notebook: tables as high as their rows, failures with buttons, menus.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { chooseInMenu } from '../../../scripts/host/driver.ts';
import { context, until } from '../editing.ts';
import {
  drawnRows,
  edit,
  fileText,
  openNotebook,
  outputFrame,
  picture,
  runAll,
} from '../notebookPages.ts';
import { withWindow } from '../window.ts';

const settings = () => vscode.workspace.getConfiguration('aplomb');

const apl = (...source: string[]) => ({ kind: 'apl', source });

const rows = (count: number) =>
  `print n = range(1, ${count}, 1) | mv-expand n | project n = tolong(n)`;

const wide = Array.from({ length: 30 }, (_, n) => `column_${n} = ${n}`).join(', ');

/** Where the parts of each table are in its output, in pixels from its top. */
function tableSizes(frame: Frame) {
  return frame.locator('.aplomb-output:has(.slick-row)').evaluateAll((outputs) =>
    outputs.map((output) => {
      const { top, bottom } = output.getBoundingClientRect();
      const rows = [...output.querySelectorAll('.slick-row')];
      const below = (elements: Element[]) =>
        Math.max(...elements.map((one) => one.getBoundingClientRect().bottom)) - top;
      const viewport = output.querySelector('.slick-viewport-right') as HTMLElement;
      const bar = viewport.offsetHeight - viewport.clientHeight;
      return {
        header: below([...output.querySelectorAll('.header-summary')]),
        firstRow: (rows[0] as Element).getBoundingClientRect().top - top,
        rows: below(rows) + bar,
        output: bottom - top,
        scrolls: viewport.scrollHeight > viewport.clientHeight,
      };
    }),
  );
}

async function failureOf(page: Page, text: string) {
  const frame = await outputFrame(page, `.message.failed:has-text("${text}")`);
  return frame.locator('.message.failed', { hasText: text });
}

/** Waits until the cursor is in a cell, and returns its line. */
const cursorIn = ({ document }: vscode.NotebookCell) =>
  until('The cursor', () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document === document ? editor.selection.active.line : undefined;
  });

describe('the outputs of a notebook', () => {
  before(() => vscode.commands.executeCommand('workbench.action.closePanel'));
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('are as high as their rows, up to twelve', async () => {
    const notebook = await openNotebook(
      fileText([apl('print one = 1'), apl(`print ${wide}`), apl(rows(500))]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.aplomb-output .slick-row');
      const [one, scrolled, many] = await until('The outputs', async () => {
        const sizes = await tableSizes(frame);
        return sizes.length === 3 && sizes.every(({ header }) => header > 0) ? sizes : undefined;
      });
      await picture(page, 'notebook-rows');
      for (const size of [one, scrolled]) {
        assert.ok(size);
        const found = JSON.stringify(size);
        assert.ok(size.header <= size.firstRow + 1, `The header is cut: ${found}`);
        assert.ok(!size.scrolls, `A single row scrolls: ${found}`);
        assert.ok(size.output >= size.rows - 1, `The row is cut: ${found}`);
        assert.ok(size.output - size.rows <= 4, `There is space below the row: ${found}`);
      }
      assert.ok(many?.scrolls);
      assert.ok(many.output > 12 * 22 && many.output < 12 * 22 + 120, JSON.stringify(many));
    });
  });

  it('follow filters, wrapped lines and details of a row', async () => {
    const notebook = await openNotebook(fileText([apl(rows(8))]));
    await runAll(notebook);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.aplomb-output .slick-row');
      const output = frame.locator('.aplomb-output:has(.slick-row)');
      const height = async () => (await output.boundingBox())?.height ?? 0;
      const before = await until('The height', async () => {
        const found = await height();
        return found > 8 * 22 ? found : undefined;
      });
      await frame.getByRole('button', { name: 'Wrap lines' }).click();
      await until('Higher rows', async () => (await height()) > before + 300 || undefined);
      await frame.getByRole('button', { name: 'Wrap lines' }).click();
      await until('The former height', async () => (await height()) === before || undefined);
      await frame.getByRole('button', { name: /Row details/ }).click();
      await frame.locator('.detail').waitFor();
      await until('Room for the details', async () => (await height()) > 260 || undefined);
      await picture(page, 'notebook-details');
    });
  });

  it('stay when a new notebook is saved under a name', async () => {
    await vscode.commands.executeCommand('aplomb.newNotebook');
    const notebook = await until('The notebook', () => {
      const found = vscode.window.activeNotebookEditor?.notebook;
      return found?.isUntitled ? found : undefined;
    });
    await edit(notebook.cellAt(0), rows(3));
    await runAll(notebook);
    const order = notebook.cellAt(0).executionSummary?.executionOrder;
    await withWindow(async (page) => {
      await drawnRows(page, 3);
      const done = vscode.commands.executeCommand('workbench.action.files.save');
      await page.locator('.quick-input-widget', { hasText: 'Save As' }).waitFor();
      // The dialog proposes a name once it has read the folder.
      await until('The proposed name', async () => {
        const name = await page.locator('.quick-input-widget input:visible').first().inputValue();
        return name.endsWith('.aplnb') || undefined;
      });
      await page.keyboard.press('Enter');
      await done;
      const saved = await until('The saved notebook', () => {
        const found = vscode.window.activeNotebookEditor?.notebook;
        return found?.uri.scheme === 'file' ? found : undefined;
      });
      await until('The outputs', () => saved.cellAt(0).outputs.length > 0 || undefined);
      assert.equal(saved.cellAt(0).executionSummary?.executionOrder, order);
      assert.equal(saved.isDirty, false);
      await drawnRows(page, 3);
    });
  });

  it('offer to go to an error, in the cell and in a cell above', async () => {
    const disabled = '// aplomb-disable-file unknown-dataset';
    const notebook = await openNotebook(
      fileText([
        apl(disabled, '', 'let bad = no_such_table | count;'),
        apl('bad | take 1'),
        apl(disabled, '', 'no_such_data', '| count'),
      ]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const own = await failureOf(page, 'no_such_data');
      await picture(page, 'notebook-failures');
      await own.getByRole('button', { name: 'Go to Line 3', exact: true }).click();
      assert.equal(await cursorIn(notebook.cellAt(2)), 2);
      const above = await failureOf(page, 'no_such_table');
      await above.getByRole('button', { name: 'Go to Cell 1, Line 3' }).click();
      assert.equal(await cursorIn(notebook.cellAt(0)), 2);
    });
  });

  describe('of a deployment that is not the active one', () => {
    const name = 'Closed';
    const url = 'http://127.0.0.1:9';
    let notebook: vscode.NotebookDocument;

    before(async () => {
      const entries = [{ name, url }];
      await settings().update('deployments', entries, vscode.ConfigurationTarget.Global);
      await until('The deployment', () => context().deployments.find(name));
    });
    after(() => settings().update('deployments', undefined, vscode.ConfigurationTarget.Global));
    beforeEach(async () => {
      notebook = await openNotebook(fileText([{ ...apl('print 1'), deployment: name }]));
    });

    it('offer to change its token', async () => {
      const running = runAll(notebook);
      await withWindow(async (page) => {
        const question = page.locator('.quick-input-widget', { hasText: name });
        await question.waitFor();
        await page.keyboard.press('Escape');
        await running;
        const failure = await failureOf(page, 'token');
        await failure.getByRole('button', { name: 'Change Token' }).click();
        await question.waitFor();
        await page.keyboard.press('Escape');
      });
    });

    it('offer to try again', async () => {
      await context().deployments.credentials.store([url], name, 'xaat-closed');
      await runAll(notebook);
      await withWindow(async (page) => {
        const failure = await failureOf(page, '127.0.0.1');
        const order = () => notebook.cellAt(0).executionSummary?.executionOrder ?? 0;
        const before = order();
        await failure.getByRole('button', { name: 'Try Again' }).click();
        await until('Another run', () => order() > before || undefined);
      });
    });
  });

  it('say which deployment is missing, and take another', async () => {
    const notebook = await openNotebook(
      fileText([{ ...apl('print answer = 42'), deployment: 'Nowhere' }]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const failure = await failureOf(page, 'The cell uses the deployment');
      const local = page.locator('.quick-input-list .monaco-list-row:visible', {
        hasText: 'Local',
      });
      // The page may take the focus once more as it is clicked, which closes the list.
      await until('The choice', async () => {
        await failure.getByRole('button', { name: 'Select Deployment' }).click();
        const isChosen = await local.click({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
        return isChosen || undefined;
      });
      await until(
        'The deployment',
        () => notebook.cellAt(0).metadata['deployment'] === 'Local' || undefined,
      );
      await runAll(notebook);
      assert.deepEqual(await drawnRows(page, 1), [['42']]);
    });
  });

  it('stay with a cell that is moved', async () => {
    const notebook = await openNotebook(
      fileText([apl('datatable (n: long) [3, 5, 4]'), apl('let other = 1;')]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.aplomb-output .slick-row');
      await vscode.commands.executeCommand('notebook.focusTop');
      await vscode.commands.executeCommand('notebook.cell.moveDown');
      await until(
        'The move',
        () => notebook.cellAt(0).document.getText() === 'let other = 1;' || undefined,
      );
      await frame.locator('.slick-header-column', { hasText: 'n' }).last().click();
      const numbers = async () => String(await drawnRows(page, 3));
      await until('The order', async () => (await numbers()) === '3,4,5' || undefined);
    });
  });

  it('have the menus of the results', async () => {
    const notebook = await openNotebook(
      fileText([apl('datatable (city: string, n: long) ["Lisbon", 3, "Kraków", 5, "Porto", 4]')]),
    );
    await runAll(notebook);
    await withWindow(async (page) => {
      const frame = await outputFrame(page, '.aplomb-output .slick-row');
      const header = frame.locator('.slick-header-column', { hasText: 'city' });
      await header.click({ button: 'right' });
      await page.locator('.monaco-menu .action-item', { hasText: 'Sort Descending' }).waitFor();
      await picture(page, 'notebook-menu');
      await page.keyboard.press('Escape');
      await chooseInMenu(page, header, 'Sort Descending');
      const cities = async () => (await drawnRows(page, 1)).map(([city]) => city);
      await until('The order', async () => (await cities())[0] === 'Porto' || undefined);
      const cell = frame.locator('.slick-pane-right .slick-cell', { hasText: 'Kraków' });
      await chooseInMenu(page, cell, 'Copy');
      await until('The clipboard', async () => {
        const text = await vscode.env.clipboard.readText();
        return text === 'Kraków' || undefined;
      });
      await chooseInMenu(page, cell, 'Show Only This Value');
      await until('The filter', async () => String(await cities()) === 'Kraków' || undefined);
    });
  });
});

describe('a notebook file', () => {
  it('has an icon in its tab and in the explorer, where the icon theme has none', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await openNotebook(fileText([]));
    await withWindow(async (page) => {
      for (const place of ['.tab.active', '.explorer-folders-view .monaco-list-row.selected'])
        await page.locator(`${place} .axiom-apl-notebook-lang-file-icon`).waitFor();
    });
  });
});
