// Typing with the keyboard of the window, as fast as a person and faster: what is written, what is shown
// meanwhile, and which keys run a query.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import { focusEditor, readResults } from '../../../scripts/host/driver.ts';
import { context, openApl, problem, until } from '../editing.ts';
import { withWindow } from '../window.ts';

const lines = '.editor-group-container.active .view-line';

/** What the editor shows while `text` is typed: how many errors, and where the lenses are. */
async function shownWhileTyping(
  page: Page,
  text: string,
  delay: number,
): Promise<{ readonly errors: number; readonly lenses: readonly number[] }[]> {
  const shown: { errors: number; lenses: number[] }[] = [];
  for (const key of text) {
    await page.keyboard.type(key);
    await page.waitForTimeout(delay);
    shown.push(
      await page.evaluate(() => ({
        errors: document.querySelectorAll('.squiggly-error').length,
        lenses: [...document.querySelectorAll('.codelens-decoration')].map((lens) =>
          Math.round(lens.getBoundingClientRect().top),
        ),
      })),
    );
  }
  return shown;
}

describe('the keyboard', () => {
  const isText = (document: vscode.TextDocument, expected: string) =>
    until(JSON.stringify(expected), () => document.getText() === expected || undefined).catch(() =>
      assert.equal(document.getText(), expected),
    );

  afterEach(() => vscode.commands.executeCommand('workbench.action.closePanel'));

  it('shows nothing but the text after the start of a name', async () => {
    await vscode.commands.executeCommand('workbench.action.closePanel');
    const { document } = await openApl('');
    await withWindow(async (page) => {
      await page.keyboard.type("['");
      await isText(document, "['']");
      await page.waitForTimeout(2_000);
      assert.equal(await page.locator('.part.panel .output-view-container').isVisible(), false);
      assert.equal(await page.locator('.part.panel').isVisible(), false);
    });
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.equal(symbols.length, 1);
  });

  it('types over the bracket that a completion has closed', async () => {
    const { document } = await openApl('print a = 1\n| where $0');
    await withWindow(async (page) => {
      await page.keyboard.type('toupp', { delay: 50 });
      await page.locator('.suggest-widget.visible', { hasText: 'toupper' }).waitFor();
      await page.keyboard.press('Tab');
      await isText(document, 'print a = 1\n| where toupper()');
      await page.keyboard.type('a)', { delay: 50 });
    });
    await isText(document, 'print a = 1\n| where toupper(a)');
  });

  it('ends a query with two line breaks, however fast it is typed', async () => {
    const { document } = await openApl('print a = 1\n| take 5$0');
    await withWindow((page) => page.keyboard.type('\n\nprint b = 2'));
    await isText(document, 'print a = 1\n| take 5\n\nprint b = 2');
  });

  it('has one pipe where it is typed at once after a line break', async () => {
    const { document } = await openApl('print a = 1\n| take 5$0');
    await withWindow((page) => page.keyboard.type('\n|count\n| count '));
    await isText(document, 'print a = 1\n| take 5\n|count\n| count ');
  });

  it('runs the text that typing comes to, however soon Shift+Enter follows', async () => {
    const typed = 'print a = 1\n| extend b = a\n| where a == 1';
    for (const enter of [
      (page: Page) => page.keyboard.type(typed),
      (page: Page) => page.keyboard.insertText(typed),
    ]) {
      const { document } = await openApl('');
      await withWindow(async (page) => {
        await enter(page);
        await page.keyboard.press('Shift+Enter');
      });
      const { query } = await until('The run', () => {
        const run = context().tabs.active;
        return run?.query.place?.uri === document.uri.toString() ? run : undefined;
      });
      await isText(document, typed);
      assert.equal(query.text, typed);
    }
  });

  it('runs the query while a list of completions is open', async () => {
    const { document } = await openApl('print ran = 1 $0');
    await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Control+Space');
      const list = page.locator('.suggest-widget.visible');
      await list.waitFor();
      await page.keyboard.press('Shift+Enter');
      await readResults(page, ({ columns }) => columns.includes('ran'));
      await list.waitFor({ state: 'hidden' });
    });
    assert.equal(document.getText(), 'print ran = 1 ');
  });

  it('shows no error of the word that is typed until it rests', async () => {
    const { document } = await openApl('print a = 1\n| where $0');
    await withWindow(async (page) => {
      await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
      await problem(document, /./);
      const shown = await shownWhileTyping(page, 'strlen(stat', 150);
      // The error that was there before goes with the first key.
      assert.deepEqual(
        shown.slice(2).map(({ errors }) => errors),
        shown.slice(2).map(() => 0),
      );
    });
    await problem(document, /Unknown column 'stat'/);
  });

  it('shows an error of a word once the next begins', async () => {
    const { document } = await openApl('print a = 1\n| where $0');
    await withWindow(async (page) => {
      await page.keyboard.type('strlne(a) ', { delay: 30 });
      const found = problem(document, /strlne/);
      // Typing does not rest.
      let typing = true;
      void found.finally(() => {
        typing = false;
      });
      for (let i = 0; typing && i < 100; i++) {
        await page.keyboard.type('> 1 and ', { delay: 30 });
      }
      assert.ok(!typing, 'The error waited for the typing to rest');
    });
  });

  it('keeps the lenses where they are', async () => {
    // Until it has its semicolon, the statement takes the query below as its own part.
    const { document } = await openApl('print a = 1\n\n$0\n\nprint b = 2\n');
    await withWindow(async (page) => {
      const lens = page.locator('.codelens-decoration', { hasText: 'Run' });
      await lens.nth(1).waitFor();
      const shown = await shownWhileTyping(page, 'let c = 1;', 400);
      const places = new Set(shown.map(({ lenses }) => lenses.join()));
      assert.equal(places.size, 1, [...places].join(' then '));
      assert.match([...places][0] ?? '', /^\d+,\d+$/);
      assert.equal(await page.locator(lines).count(), document.lineCount);
    });
  });
});
