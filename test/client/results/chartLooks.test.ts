/** Every kind of chart in every theme: its accessibility, and pictures to look at. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import { isDrawn, recorded } from './chartPage.ts';
import { kinds } from './chartSamples.ts';
import { type Theme, themes } from './themes.ts';
import { openView } from './viewPage.ts';

/** Where pictures go when somebody wants to look at them. */
const pictures = process.env.APLOMB_PICTURES;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** A low panel, a high one, and a narrow side bar. */
const sizes = [
  [1_000, 200],
  [600, 800],
  [320, 600],
] as const;

describe('every kind of chart in every theme', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const [width, height] of pictures || theme === 'dark' ? sizes : sizes.slice(0, 1)) {
      it(`axe finds nothing wrong: ${theme}, ${width} × ${height} pixels`, async () => {
        const view = await openView(browser, {
          theme,
          width,
          height,
          charts: recorded(),
          chartsFirst: true,
        });
        const { page, show } = view;
        await page.evaluate(axe);
        for (const [name, sample, kind, style] of kinds) {
          await show({ kind: 'result', result: { ...sample, title: name } });
          await isDrawn(view);
          if (kind) await page.selectOption('[data-tool="Chart"]', kind);
          if (style) await page.selectOption('[data-tool="Drawn as"]', style);
          await page.waitForSelector('.plot[aria-label], .log-line');
          if (pictures) {
            mkdirSync(pictures, { recursive: true });
            await page.waitForTimeout(200);
            await page.screenshot({
              path: `${pictures}/chart-${name.replace(/ /g, '-')}-${theme}-${width}x${height}.png`,
            });
          }
          const found = await page.evaluate(() => {
            const { run } = (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe;
            return run();
          });
          const wrong = found.violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
          );
          assert.deepEqual(wrong, [], name);
        }
        await page.close();
      });
    }
  }
});
