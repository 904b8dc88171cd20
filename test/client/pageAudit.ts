// What the tests of every page ask: whether axe finds anything wrong, whether the page is wider than its window, and
// a picture where somebody wants to look at it.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, PageScreenshotOptions } from 'playwright-core';

/** Where pictures go when somebody wants to look at them. */
export const pictures = process.env.APLOMB_PICTURES;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The violations of axe's rules, each with the first three elements where it is found. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { run } = (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe;
    return run();
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}

/** The pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** Takes a picture where pictures are asked for. */
export async function picture(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name.replaceAll(' ', '-')}.png`, ...options });
}
