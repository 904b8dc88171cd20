// Typing over a slow connection to the host of the extension: what the extension does after a key comes
// while the next keys are typed, and the text is still what was meant.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/host/browser.ts';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { focusEditor } from '../../scripts/host/driver.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { createProfile, linkExtension } from '../../scripts/host/profile.ts';
import { startVscodeServer } from '../../scripts/host/server.ts';
import { openSlowPort } from '../../scripts/host/slowPort.ts';
import { openWorkbench } from '../../scripts/host/workbench.ts';

const delayMs = 150;
const keyMs = 60;

/** What is typed, and the lines that become of it. */
const typed = [
  ['print a = 1\n\nprint b = 2', ['print a = 1', '', 'print b = 2']],
  ["['a b']\n|take 5\n\nprint b = 2", ["['a b']", '|take 5', '', 'print b = 2']],
  ['print a\n| take 5\n|take 6\n|take 7', ['print a', '| take 5', '|take 6', '|take 7']],
] as const;

it('text typed over a slow connection is as over a fast one', { timeout: 180_000 }, async () => {
  await ensureBuilt();
  const profile = await createProfile({ 'editor.quickSuggestions': { other: 'off' } });
  const stops: (() => Promise<void>)[] = [profile.remove, () => stopLocalDeployment(profile)];
  try {
    const folder = join(profile.root, 'workspace');
    const file = join(folder, 'first.apl');
    await mkdir(folder);
    await writeFile(file, 'print 0\n');
    await linkExtension(profile);
    const server = await startVscodeServer(profile);
    stops.push(server.stop);
    const slow = await openSlowPort(server.port, delayMs);
    stops.push(slow.close);
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const far = { ...server, port: slow.port, authority: `127.0.0.1:${slow.port}` };
    const { page } = await openWorkbench(browser, far, { folder, file, extensions: [] });
    await focusEditor(page, 'first.apl');
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    for (const [keys, lines] of typed) {
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(keys, { delay: keyMs });
      await becomes(page, lines);
    }
  } finally {
    for (const stop of stops.reverse()) await stop();
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
