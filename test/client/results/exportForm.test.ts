/** The export form in a real browser: its fields by format, its keys, the focus, and remembered values. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { exportForm } from '../../../client/src/results/exportForm.ts';
import { resultOf } from '../../../client/src/results/resultOf.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { result } from './samples.ts';
import type { ViewPage } from './viewPage.ts';
import { cell, drawn, logs, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const defaults = {
  delimiter: ',',
  header: true,
  byteOrderMark: false,
  nullText: '',
  guardFormulas: true,
};

async function openForm({ page, host }: ViewPage, tab?: string): Promise<void> {
  host.act('exportResult', tab === undefined ? {} : { tab });
  await page.waitForSelector('.export-form');
}

const closed = (page: Page) => page.waitForSelector('.export-form', { state: 'detached' });

/** Returns the labels of the shown fields in tab order. */
async function walk(page: Page): Promise<string[]> {
  const seen: string[] = [];
  for (let stop = 0; stop < 12; stop++) {
    const name = await page.evaluate(() => {
      const now = document.activeElement as HTMLInputElement | null;
      if (now?.closest('.export-form') === null) return undefined;
      return now?.labels?.[0]?.querySelector('span')?.textContent ?? now?.textContent ?? '';
    });
    if (name === undefined || seen.includes(name)) break;
    seen.push(name);
    await page.keyboard.press('Tab');
  }
  return seen;
}

async function becomesFocused(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
}

describe('the export form', () => {
  it('shows the format and its options, and Tab moves through them without leaving the form', async () => {
    const view = await openResult(browser);
    const { page } = view;
    await openForm(view);
    assert.equal(await page.getByRole('dialog').getAttribute('aria-label'), 'Export Results');
    const all = [
      'Format',
      'Delimiter',
      'Text for null',
      'Column names in the first line',
      'Byte order mark, for Excel',
      'Guard against formulas',
      'Export…',
      'Cancel',
    ];
    assert.deepEqual(await walk(page), all);
    await becomesFocused(page, '[name="format"]');
    assert.match(
      (await page.getByLabel('Guard against formulas').evaluate((box) => {
        const id = box.getAttribute('aria-describedby');
        return document.getElementById(id ?? '')?.textContent;
      })) ?? '',
      /apostrophe/,
    );
    assert.deepEqual(view.complaints, []);
    await page.close();
  });

  it('shows only the options of the selected format', async () => {
    const view = await openResult(browser);
    const { page } = view;
    await openForm(view);
    for (const [format, options] of [
      [
        'tsv',
        [
          'Text for null',
          'Column names in the first line',
          'Byte order mark, for Excel',
          'Guard against formulas',
        ],
      ],
      ['markdown', ['Text for null']],
      ['json', []],
      ['parquet', []],
    ] as const) {
      await page.getByLabel('Format').selectOption(format);
      await page.getByLabel('Format').focus();
      assert.deepEqual(await walk(page), ['Format', ...options, 'Export…', 'Cancel'], format);
    }
    await page.close();
  });

  it('submits the entered values when Enter is pressed in any field', async () => {
    for (const field of ['Format', 'Delimiter', 'Text for null', 'Byte order mark']) {
      const view = await openResult(browser);
      const { page, exported } = view;
      await openForm(view);
      await page.getByLabel('Delimiter').selectOption(';');
      await page.getByLabel('Text for null').fill('NULL');
      await page.getByLabel('Byte order mark').check();
      await page.getByLabel('Guard against formulas').uncheck();
      await page.getByLabel(field).focus();
      await page.keyboard.press('Enter');
      await closed(page);
      await view.until(() => exported.length === 1);
      const options = {
        ...defaults,
        delimiter: ';',
        nullText: 'NULL',
        byteOrderMark: true,
        guardFormulas: false,
      };
      const tab = view.tabs.active?.id;
      assert.deepEqual(exported, [{ tab, format: 'csv', options, everything: false }], field);
      assert.deepEqual(view.complaints, []);
      await page.close();
    }
  });

  it('starts with the values of the last export, but guards against formulas again', async () => {
    const view = await openResult(browser);
    const { page, exported } = view;
    await openForm(view);
    await page.getByLabel('Delimiter').selectOption('|');
    await page.getByLabel('Column names').uncheck();
    await page.getByLabel('Guard against formulas').uncheck();
    await page.getByRole('button', { name: 'Export…' }).click();
    await view.until(() => exported.length === 1);
    await openForm(view);
    await page.getByLabel('Format').selectOption('tsv');
    await page.getByLabel('Text for null').fill('-');
    await page.getByRole('button', { name: 'Export…' }).click();
    await view.until(() => exported.length === 2);
    assert.deepEqual(exported[1]?.options, { ...defaults, delimiter: '\t', nullText: '-' });
    await openForm(view);
    assert.equal(await page.getByLabel('Format').inputValue(), 'tsv');
    assert.equal(await page.getByLabel('Text for null').inputValue(), '-');
    await page.getByLabel('Format').selectOption('csv');
    assert.equal(await page.getByLabel('Delimiter').inputValue(), '|');
    assert.equal(await page.getByLabel('Text for null').inputValue(), '');
    assert.equal(await page.getByLabel('Column names').isChecked(), false);
    assert.equal(await page.getByLabel('Guard against formulas').isChecked(), true);
    await page.close();
  });

  it('keeps the entered options of a format while another format is selected', async () => {
    const view = await openResult(browser);
    const { page, exported } = view;
    await openForm(view);
    await page.getByLabel('Text for null').fill('none');
    await page.getByLabel('Format').selectOption('markdown');
    assert.equal(await page.getByLabel('Text for null').inputValue(), '');
    await page.getByLabel('Format').selectOption('csv');
    assert.equal(await page.getByLabel('Text for null').inputValue(), 'none');
    await page.getByLabel('Format').selectOption('json');
    await page.getByRole('button', { name: 'Export…' }).click();
    await view.until(() => exported.length === 1);
    assert.deepEqual(exported[0]?.options, defaults);
    await page.close();
  });

  it('exports nothing on Escape or Cancel, discards its values, and restores the focus', async () => {
    const view = await openResult(browser);
    const { page, exported } = view;
    await cell(page, 1, 2).click();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await openForm(view);
      await becomesFocused(page, '[name="format"]');
      assert.equal(await page.getByLabel('Text for null').inputValue(), '');
      await page.getByLabel('Text for null').fill('gone');
      await close();
      await closed(page);
      await becomesFocused(page, '.slick-cell.active');
    }
    // The form opens after the host has handled all earlier events of the page.
    await openForm(view);
    assert.deepEqual(exported, []);
    await page.close();
  });

  it('restores the focus after an export', async () => {
    const view = await openResult(browser);
    const { page, exported } = view;
    await page.getByRole('button', { name: 'Columns' }).focus();
    await openForm(view);
    await page.keyboard.press('Enter');
    await view.until(() => exported.length === 1);
    await becomesFocused(page, '[aria-label="Columns"]');
    await page.close();
  });

  it('offers to include all rows and columns only if some are hidden', async () => {
    const view = await openResult(browser);
    const { page, exported } = view;
    await openForm(view);
    assert.equal(await page.getByLabel('Include').isVisible(), false);
    await page.keyboard.press('Escape');
    await cell(page, 0, 2).click();
    view.host.act('filterByValue', { row: 0, column: 1 });
    view.host.act('hideColumn', { column: 5 });
    await page.waitForSelector('.chip');
    await view.until(() =>
      view.views().some(({ view: { tables } }) => String(tables[0]?.hidden) === '5'),
    );
    await openForm(view);
    await page.getByText('omits the hidden rows and columns').waitFor();
    assert.equal(await page.getByLabel('Include').inputValue(), 'shown');
    await page.getByLabel('Include').selectOption('all');
    await page.keyboard.press('Enter');
    await view.until(() => exported.length === 1);
    assert.equal(exported[0]?.everything, true);
    await openForm(view);
    assert.equal(await page.getByLabel('Include').inputValue(), 'shown');
    await page.close();
  });

  it('exports the tab from whose menu it was opened, without activating the tab', async () => {
    const view = await openResult(browser);
    const { page, exported, tabs } = view;
    const first = tabs.active?.id;
    await view.show({ kind: 'result', query: 'second', result: result([logs(5)]) });
    await drawn(page);
    await openForm(view, first);
    await page.keyboard.press('Enter');
    await view.until(() => exported.length === 1);
    assert.equal(exported[0]?.tab, first);
    assert.notEqual(tabs.active?.id, first);
    await page.close();
  });

  it('stays inside a window that becomes smaller, with its buttons visible', async () => {
    const view = await openResult(browser);
    const { page } = view;
    await openForm(view);
    await page.getByLabel('Text for null').fill('NULL');
    await page.setViewportSize({ width: 400, height: 180 });
    const box = await page.waitForFunction(() => {
      const { left, top, right, bottom } = (
        document.querySelector('.export-form') as HTMLElement
      ).getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
    assert.ok(await box.jsonValue());
    assert.equal(await page.getByLabel('Text for null').inputValue(), 'NULL');
    const buttons = await page.getByRole('button', { name: 'Export…' }).boundingBox();
    assert.ok(buttons !== null && buttons.y + buttons.height <= 180, JSON.stringify(buttons));
    await page.close();
  });
});

describe('the values of the export form', () => {
  it('are the defaults if the stored ones are invalid', async () => {
    const view = await openResult(browser);
    const found = resultOf(view.tabs.active, view.store);
    assert.ok(found);
    for (const stored of [
      { 'export.format': 'text', 'export.options.csv': { delimiter: 'ab', nullText: 'NULL' } },
      { 'export.format': 7, 'export.options.csv': { header: 'no' } },
      { 'export.options.csv': null },
    ] as Record<string, unknown>[]) {
      const { format, formats } = exportForm(found, {
        get: (key: string) => stored[key] as never,
        update: async () => undefined,
      });
      assert.equal(format, 'csv');
      assert.deepEqual(formats.find(({ id }) => id === 'csv')?.options, defaults);
    }
    await view.page.close();
  });
});
