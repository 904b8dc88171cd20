// The default of a query's parameter, which a Markdown fence or a file of a colleague declares, is text in
// the form that asks for the value. In Restricted Mode too, a click on it runs no command.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { formInResults, openFile } from '../../../scripts/host/driver.ts';
import { type OpenedWindow, openWindow } from '../../host/openWindow.ts';
import { assertNothingRan, assertPlain, clickWords, hostile } from './hostile.ts';

const literal = JSON.stringify(hostile('default'));
const query = `declare query_parameters (p: string = ${literal}, n: long = 5);\nprint x = p, y = n`;

describe('the default of a parameter, in Restricted Mode', { timeout: 240_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;

  before(async () => {
    opened = await openWindow(
      {
        'asks.apl': query,
        'notes.md': `# Notes\n\n\`\`\`apl\n${query}\n\`\`\`\n`,
      },
      {
        settings: {
          'security.workspace.trust.enabled': true,
          'security.workspace.trust.startupPrompt': 'never',
          'security.workspace.trust.banner': 'never',
        },
      },
    );
    page = opened.page;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
  });

  after(() => opened?.close());

  /** Each way to the form. The file opens it with the key that runs a query. */
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'of a file': async () => {
      await openFile(page, 'asks.apl');
      await page.keyboard.press('Shift+Enter');
    },
    'of a Markdown fence': async () => {
      await openFile(page, 'notes.md');
      await page.locator('.codelens-decoration a', { hasText: /^Run$/ }).first().click();
    },
  };

  for (const [name, open] of Object.entries(ways)) {
    it(`${name} is neither a link nor an icon, and a click on it runs no command`, async () => {
      await open();
      const frame = await formInResults(page, 'default [go]');
      const form = frame.locator('.popup-form');
      // A page shows Markdown as it is.
      const note = form.locator('.form-detail', { hasText: 'default [go]' });
      await assertPlain(page, note, { name: 'string, default: default', markdown: true });
      assert.equal(await form.locator('a, b').count(), 0);
      await clickWords(note);
      await assertNothingRan(page);
      await form.getByLabel('p', { exact: true }).press('Escape');
      await form.waitFor({ state: 'detached' });
    });
  }
});
