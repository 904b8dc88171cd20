/** Checks every kind of chart in every theme with axe, and takes optional screenshots. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { picture, pictures, violationsOf } from '../pageAudit.ts';
import { isDrawn, recorded } from './chartPage.ts';
import { kinds } from './chartSamples.ts';
import { type Theme, themes } from './themes.ts';
import { openView } from './viewPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

/** A low panel, a high one, and a narrow side bar. */
const sizes = [
  [1_000, 200],
  [600, 800],
  [320, 600],
] as const;

describe('every kind of chart', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const [width, height] of pictures || theme === 'dark' ? sizes : sizes.slice(0, 1)) {
      it(`has no violation of axe's rules in the theme ${theme} at ${width} × ${height} pixels`, async () => {
        const view = await openView(browser, {
          theme,
          width,
          height,
          charts: recorded(),
          chartsFirst: true,
        });
        const { page, show } = view;
        for (const [name, sample, kind, style] of kinds) {
          await show({ kind: 'result', result: { ...sample, title: name } });
          await isDrawn(view);
          if (kind) await page.selectOption('[data-tool="Chart"]', kind);
          // A narrow chart shows its tools on a click.
          const options = page.locator('[data-tool="Options"][aria-expanded="false"]:visible');
          if (style && (await options.count()) > 0) await options.click();
          if (style) await page.selectOption('[data-tool="Style"]', style);
          await page.waitForSelector('.plot[aria-label], .log-line');
          if (pictures) await page.waitForTimeout(200);
          await picture(page, `chart-${name}-${theme}-${width}x${height}`);
          assert.deepEqual(await violationsOf(page), [], name);
        }
        await page.close();
      });
    }
  }
});
