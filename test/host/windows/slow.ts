// Typing over a slow connection to the host of the extension: what the extension does after a key comes
// while the next keys are typed, and the text is still what was meant.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { focusEditor } from '../../../scripts/host/driver.ts';
import { openSlowPort } from '../../../scripts/host/slowPort.ts';
import { openWindow } from '../openWindow.ts';

const delayMs = 150;
const keyMs = 60;

/** What is typed, and the lines that become of it. */
const typed = [
  ['print a = 1\n\nprint b = 2', ['print a = 1', '', 'print b = 2']],
  ["['a b']\n|take 5\n\nprint b = 2", ["['a b']", '|take 5', '', 'print b = 2']],
  ['print a\n| take 5\n|take 6\n|take 7', ['print a', '| take 5', '|take 6', '|take 7']],
] as const;

it('text typed over a slow connection is as over a fast one', { timeout: 600_000 }, async () => {
  const { page, close } = await openWindow(
    { 'first.apl': 'print 0\n' },
    {
      settings: { 'editor.quickSuggestions': { other: 'off' } },
      file: 'first.apl',
      through: ({ port }) => openSlowPort(port, delayMs),
    },
  );
  try {
    await focusEditor(page, 'first.apl');
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    for (const [keys, lines] of typed) {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(keys, { delay: keyMs });
      await becomes(page, lines);
    }
  } finally {
    await close();
  }
});

/** Waits until the editor has these lines. */
async function becomes(page: Page, wanted: readonly string[]): Promise<void> {
  let shown: string[] = [];
  for (let tries = 0; tries < 50; tries++) {
    shown = await linesOf(page);
    if (shown.join('\n') === wanted.join('\n')) return;
    await page.waitForTimeout(200);
  }
  assert.deepEqual(shown, wanted);
}

/** The lines of the editor from the top, as they are drawn. */
function linesOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.editor-group-container.active .view-line')]
      .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text.replaceAll('\u00a0', ' ')),
  );
}
