/** The renderer of notebook outputs in a real browser: saved rows and failures that were stored with the file. */
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { savedRows } from '../../../client/src/notebook/savedRows.ts';
import type { ShownOutput } from '../../../client/src/notebook/shownOutput.ts';
import { repository } from '../../../scripts/host/paths.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { assertHarmless, assertShown, foreign } from '../foreignText.ts';

let browser: Browser;
let renderer = '';
before(async () => {
  browser = await pageBrowser();
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(repository, 'client/src/notebook/view/main.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'chrome138',
    loader: { '.css': 'text' },
  });
  renderer = outputFiles[0]?.text ?? '';
});
after(() => browser?.close());

/** Draws an output without tabs, which needs nothing from the host. */
async function draw(output: ShownOutput): Promise<Page> {
  const page = await browser.newPage();
  await page.evaluate(
    async ({ script, output }) => {
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const { activate } = await import(address);
      const silent = { postMessage: () => undefined, onDidReceiveMessage: () => undefined };
      await activate(silent).renderOutputItem({ id: 'a', json: () => output }, document.body);
    },
    { script: renderer, output },
  );
  return page;
}

describe('untrusted text in a notebook output', () => {
  it('in saved rows is shown with its control characters visible and never as markup', async () => {
    const saved = savedRows(
      {
        columns: [{ name: foreign, type: foreign }],
        rows: [[foreign]],
        rowCount: 1,
        run: { time: '2026-11-21T09:15:00Z', range: foreign, deployment: foreign },
      },
      'utc',
    );
    const page = await draw({ saved });
    await assertShown(page, {
      '.saved th': '*',
      '.saved th @title': '*',
      '.saved td': '*',
      '.saved-note':
        'Saved output: 1 row · run 2026-11-21 09:15 UTC · * · *. Run the cell to explore them.',
    });
    await assertHarmless(page);
    await page.close();
  });

  it('in an error message keeps its line breaks and is never shown as markup', async () => {
    const page = await draw({ failure: `${foreign}\nnext` });
    await assertShown(page, { '.failure': '*\nnext' });
    await assertHarmless(page);
    await page.close();
  });
});
