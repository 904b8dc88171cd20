/** The parameter form of a query in a real browser: its fields, its errors, its keys and the focus. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { FilledTexts } from '../../../client/src/query/parameterForms.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import type { QueryParameter } from '../../../server/src/protocol.ts';
import { result } from './samples.ts';
import { openView, type ViewPage } from './viewPage.ts';
import { cell, drawn, logs, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const parameters: readonly QueryParameter[] = [
  { name: 'least', type: 'long', defaultText: '2' },
  { name: 'word', type: 'string' },
  { name: 'flag', type: 'bool', defaultText: 'true' },
  { name: 'at', type: 'datetime' },
];

/** Opens the form, and waits until its first field has the focus. */
async function openForm(
  { page, parameterForms }: ViewPage,
  before: FilledTexts = new Map(),
): Promise<Promise<FilledTexts | undefined>[]> {
  const answer = parameterForms.ask('print least', parameters, before);
  await becomesFocused(page, '.parameter-popup .field');
  // In a list, so that awaiting the opening does not await the answer.
  return [answer];
}

async function becomesFocused(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Returns the descriptions of a field: its type and default, and its error. */
function descriptionOf(
  page: Page,
  name: string,
  role: 'textbox' | 'combobox' = 'textbox',
): Promise<string[]> {
  return page
    .getByRole(role, { name, exact: true })
    .evaluate((control) =>
      (control.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? 'missing'),
    );
}

describe('the parameter form of a query', () => {
  it('has a field for each parameter, with its type, default and last value', async () => {
    const view = await openResult(browser);
    const { page } = view;
    await openForm(view, new Map([['word', 'before']]));
    const fields = await page
      .locator('.parameter-popup .field')
      .evaluateAll((all) => all.map((control) => (control as HTMLInputElement).value));
    assert.deepEqual(fields, ['2', 'before', 'true', '']);
    assert.deepEqual(await descriptionOf(page, 'least'), ['long, default: 2', '']);
    assert.deepEqual(await descriptionOf(page, 'word'), ['string', '']);
    assert.deepEqual(await descriptionOf(page, 'flag', 'combobox'), ['bool, default: true', '']);
    assert.deepEqual(view.complaints, []);
    await page.close();
  });

  it('submits all values on Enter, with null for an unchanged default', async () => {
    const view = await openResult(browser);
    const { page } = view;
    const [answer] = await openForm(view);
    await page.keyboard.press('Tab');
    await page.keyboard.type("it's");
    await page.keyboard.press('Tab');
    await page.keyboard.type('false');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2026-01-31');
    await page.keyboard.press('Enter');
    assert.deepEqual(Object.fromEntries((await answer) ?? []), {
      least: null,
      word: "it's",
      flag: 'false',
      at: '2026-01-31',
    });
    await page.waitForSelector('.parameter-popup', { state: 'detached' });
    await page.close();
  });

  it('shows an error at its field, and does not run the query until the error is fixed', async () => {
    const view = await openResult(browser);
    const { page } = view;
    const [answer] = await openForm(view);
    await field(page, 'least').fill('many');
    await page.getByText('Enter an integer, such as 500.').waitFor();
    assert.match((await descriptionOf(page, 'least'))[1] ?? '', /Enter an integer/);
    // Only the edited field has an error so far.
    assert.deepEqual(await descriptionOf(page, 'at'), ['datetime', '']);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Enter a time').waitFor();
    await becomesFocused(page, '[aria-invalid="true"]');
    await field(page, 'least').fill('3');
    await page.waitForFunction(
      () => document.querySelectorAll('.parameter-popup [aria-invalid="true"]').length === 1,
    );
    await field(page, 'at').fill('now');
    await page.keyboard.press('Enter');
    assert.equal((await answer)?.get('least'), '3');
    await page.close();
  });

  it('submits nothing if it is closed with Escape or Cancel or replaced by another form', async () => {
    const view = await openResult(browser);
    const { page } = view;
    await cell(page, 1, 2).click();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      const [answer] = await openForm(view);
      await close();
      assert.equal(await answer, undefined);
      await becomesFocused(page, '.slick-cell.active');
    }
    const [first] = await openForm(view);
    const [second] = await openForm(view);
    assert.equal(await first, undefined);
    assert.equal(await page.locator('.parameter-popup').count(), 1);
    await field(page, 'at').fill('now');
    await page.keyboard.press('Enter');
    assert.equal((await second)?.get('at'), 'now');
    await page.close();
  });

  it('keeps the typed text when another result arrives, but not when the page is reloaded', async () => {
    const view = await openResult(browser);
    const { page } = view;
    const [answer] = await openForm(view);
    await field(page, 'word').fill('typed');
    await view.show({ kind: 'result', query: 'second', result: result([logs(5)]) });
    await page.waitForFunction(
      () => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === '6',
    );
    assert.equal(await field(page, 'word').inputValue(), 'typed');
    await page.reload();
    await drawn(page);
    await field(page, 'at').fill('now');
    await page.keyboard.press('Enter');
    assert.equal((await answer)?.get('word'), '');
    await page.close();
  });

  it('opens on a page without a result', async () => {
    const view = await openView(browser);
    const [answer] = await openForm(view);
    await field(view.page, 'at').fill('now');
    await view.page.keyboard.press('Enter');
    assert.equal((await answer)?.get('at'), 'now');
    assert.deepEqual(view.complaints, []);
    await view.page.close();
  });
});
