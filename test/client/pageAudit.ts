// Checks that the tests of all pages share: axe violations, horizontal overflow, and optional screenshots.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { type Theme, themes } from './results/themes.ts';

/** The folder for screenshots, if they are wanted. */
export const pictures = process.env.APLOMB_PICTURES;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Returns the violations of axe's rules, each with the first three elements where it is found. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    // Otherwise each element that passes a rule is described too, which takes longer than the rules.
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}

/** Returns the number of pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** A theme and, unless the window keeps its size, a window size. */
export interface Look {
  readonly theme: Theme;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Returns every theme in each of the sizes. */
export function looksOf(sizes: readonly Look['size'][] = [undefined]): Look[] {
  return sizes.flatMap((size) =>
    (Object.keys(themes) as Theme[]).map((theme) => ({ theme, ...(size && { size }) })),
  );
}

/** Applies the colors of a theme, as VS Code does when the theme changes, and resizes the window. */
export async function switchLook(page: Page, { theme, size }: Look): Promise<void> {
  if (size) await page.setViewportSize(size);
  await page.evaluate(
    async ([name, variables]) => {
      const { body } = document;
      const sheet = document.querySelector('#theme');
      if (sheet === null) throw new Error('The page has no theme.');
      sheet.textContent = `:root{${variables}}`;
      body.className = body.className.replace(/vscode-[a-z-]+/, `vscode-${name}`);
      // Parts that depend on the theme or size redraw with the next frames, and colors may have transitions.
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      await frame();
      await frame();
      const changes = document.getAnimations().filter((some) => some instanceof CSSTransition);
      await Promise.allSettled(changes.map(({ finished }) => finished));
    },
    [theme, themes[theme]] as const,
  );
}

/** Collects the problems of a page in each look, so that each look can be a test. */
export class PageAudit {
  readonly #found = new Map<Look, string[]>();
  readonly #looks: readonly Look[];

  constructor(looks: readonly Look[]) {
    this.#looks = looks;
  }

  /** Switches the page in its current state to each look, and records its problems. */
  async add(
    page: Page,
    state: string,
    seen: (look: Look) => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    for (const look of this.#looks) {
      await switchLook(page, look);
      await seen(look);
      const found = (await violationsOf(page)).map((violation) => `${state}: ${violation}`);
      const overflow = await overflowOf(page);
      if (overflow !== 0) found.push(`${state}: wider than its window by ${overflow} pixels`);
      this.#found.set(look, [...(this.#found.get(look) ?? []), ...found]);
    }
  }

  /** Throws if the look has problems or was not checked. */
  assertClean(look: Look): void {
    assert.deepEqual(this.#found.get(look), []);
  }
}

/** Takes a screenshot if screenshots are wanted. */
export async function picture(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name.replaceAll(' ', '-')}.png`, ...options });
}
