/** Text from a service, a file or a query that tries to reorder, to hide or to add something to a page. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

export const foreign = 'a\u202Eb\u0007<b>x</b>';
/** The foreign text as a page shows it. */
export const visible = 'a[U+202E]b␇<b>x</b>';

/** Asserts that a page shows the texts, each with `foreign` in place of `*`, at their selectors. */
export async function assertShown(
  page: Page,
  shown: Readonly<Record<string, string>>,
): Promise<void> {
  const found: Record<string, string | null> = {};
  const expected: Record<string, string> = {};
  for (const [place, text] of Object.entries(shown)) {
    const [selector = '', attribute] = place.split(' @');
    const one = page.locator(selector).first();
    await one.waitFor({ state: 'attached', timeout: 10_000 }).catch(() => undefined);
    found[place] =
      (await one.count()) === 0
        ? 'missing'
        : attribute === undefined
          ? await one.textContent()
          : await one.getAttribute(attribute);
    expected[place] = text.replaceAll('*', visible);
  }
  assert.deepEqual(found, expected);
}

/** Asserts that no text, tooltip or name on the page has a control or bidirectional character, and none is markup. */
export async function assertHarmless(page: Page): Promise<void> {
  const { raw, elements } = await page.evaluate(() => {
    const raw: string[] = [];
    const drawn = ['title', 'aria-label', 'aria-description', 'placeholder', 'label', 'alt'];
    const isRaw = (text: string) => text.includes('\u202E') || text.includes('\u0007');
    const walk = document.createTreeWalker(
      document,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    );
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node instanceof Element) {
        for (const name of drawn) {
          const text = node.getAttribute(name) ?? '';
          if (isRaw(text)) raw.push(`${node.className} ${name}: ${text}`);
        }
      } else if (node.parentElement?.tagName !== 'SCRIPT' && isRaw(node.nodeValue ?? ''))
        raw.push(`${node.parentElement?.className}: ${node.nodeValue}`);
    }
    return { raw, elements: document.querySelectorAll('b').length };
  });
  assert.deepEqual({ raw, elements }, { raw: [], elements: 0 });
}
