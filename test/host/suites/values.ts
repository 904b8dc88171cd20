// Values in the results view: the order of the columns, and a whole value in a read-only editor, opened by
// mouse and keyboard.
import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { focusEditor, readResults } from '../../../scripts/host/driver.ts';
import { openApl, until } from '../editing.ts';
import { withWindow } from '../window.ts';

const unordered =
  'union (datatable (a: string, _sysTime: datetime, tags: dynamic, _time: datetime)' +
  ' ["{\\"n\\": 1.0}", datetime(2026-01-01), dynamic({"id": 9007199254740993}), datetime(2026-01-02T00:00:00.5Z),' +
  ' "line one\\nline two", datetime(2026-01-01), dynamic(null), datetime(2026-01-03)])';

/** The frame of the page that shows the grid. */
async function gridFrame(page: Page): Promise<Frame> {
  for (const frame of page.frames()) {
    if (
      (await frame
        .locator('.grid .slick-row')
        .count()
        .catch(() => 0)) > 0
    )
      return frame;
  }
  throw new Error('No frame shows the grid.');
}

/** The document of a value, once the active editor shows it. */
function shownValue(name: string): Promise<vscode.TextDocument> {
  return until(`The value ${name}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.path === `/${name}` ? document : undefined;
  });
}

describe('values of a result', () => {
  it('begin with the time and end with the time of ingestion where the query lists no columns', async () => {
    await openApl(`${unordered}\n`);
    const shown = await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('Shift+Enter');
      const whole = await readResults(page, ({ rows }) => rows.length === 2);
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Shift+Enter');
      await page.waitForTimeout(500);
      const selection = await readResults(page, ({ rows }) => rows.length === 2);
      return { whole, selection };
    });
    assert.deepEqual(shown.whole.columns, ['_time', 'a', 'tags', '_sysTime']);
    assert.deepEqual(shown.selection.columns, shown.whole.columns);
    assert.deepEqual(shown.whole.rows.map(([time]) => time).toSorted(), [
      '2026-01-02 00:00:00.5',
      '2026-01-03 00:00:00.0',
    ]);
  });

  it('come in the order that a query lists', async () => {
    await openApl(`${unordered}\n| project a, _time\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const shown = await withWindow((page) =>
      readResults(page, ({ columns }) => columns.length === 2),
    );
    assert.deepEqual(shown.columns, ['a', '_time']);
  });

  it('open in a read-only editor by double click and by Enter', async () => {
    await openApl(`${unordered}\n| project a, tags, _time\n| sort by _time asc\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      await readResults(page, ({ columns }) => columns.join() === 'a,tags,_time');
      const frame = await gridFrame(page);
      await frame.locator('.slick-row[data-row="0"] .slick-cell.l2').dblclick();
    });
    const dynamic = await shownValue('tags, row 1.json');
    assert.equal(dynamic.languageId, 'json');
    assert.equal(dynamic.getText(), '{\n  "id": 9007199254740993\n}');
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(dynamic.getText(), '{\n  "id": 9007199254740993\n}');

    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await frame.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
      await page.keyboard.press('Enter');
    });
    const json = await shownValue('a, row 1.json');
    assert.equal(json.languageId, 'json');
    assert.equal(json.getText(), '{\n  "n": 1.0\n}');

    await withWindow(async (page) => {
      const frame = await gridFrame(page);
      await frame.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    });
    const plain = await shownValue('a, row 2.txt');
    assert.equal(plain.languageId, 'plaintext');
    assert.equal(plain.getText(), 'line one\nline two');
  });
});
