/** Hostile words, and how a window of VS Code that shows them is checked for links, icons, markup and hidden text. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** Opens an untitled editor when it is run. */
export const hostileCommand = 'command:workbench.action.files.newUntitledFile';

/** An icon that nothing else shows. */
const icon = 'squirrel';

/** Words with a link, an icon, HTML, a bidirectional control and an escape sequence; a file may be called so. */
export function hostile(name: string): string {
  return `${name} [go](${hostileCommand}) $(${icon}) <b id=owned> \u202Egnp \u001b[31m`;
}

/** What a person reads of hostile words; in Markdown the brackets of a symbol are others. */
const readable = [`[go] (${hostileCommand})`, `$ (${icon})`, '<b id=owned>', 'U+202E', '␛[31m'];
/** In Markdown nothing has to be broken up. */
const readableMarkdown = [`[go](${hostileCommand})`, '<b id=owned>', 'U+202E', '␛'];

/** What the window shows outside of editors' own text: the addresses of links, and what must not be there. */
function findings(page: Page): Promise<string[]> {
  return page.evaluate((name) => {
    const found: string[] = [];
    for (const link of document.querySelectorAll('a')) {
      const address = `${link.getAttribute('href') ?? ''} ${link.dataset.href ?? ''}`;
      if (/newUntitledFile|evil\.example/.test(address)) found.push(`a link to ${address}`);
      if (link.textContent === 'go') found.push('a link named go');
    }
    if (document.querySelector(`.codicon-${name}`)) found.push('the icon');
    if (document.querySelector('#owned')) found.push('the HTML');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const hides = text.includes('\u202E') || text.includes('\u001b');
      // Editors show documents as they are, with marks of their own; files are listed by VS Code itself.
      const ofOthers = '.view-lines, .sticky-widget, .explorer-folders-view, script, style';
      if (hides && !node.parentElement?.closest(ofOthers))
        found.push(`hidden characters in ${node.parentElement?.className}: ${text}`);
    }
    return found;
  }, icon);
}

/** Waits until the place shows hostile words that begin with `name`, and checks them and all of the window. */
export async function assertPlain(
  page: Page,
  place: Locator,
  { name = '', markdown = false, parts }: PlainOptions = {},
): Promise<void> {
  const shown = place.filter({ hasText: name }).filter({ hasText: 'go' }).first();
  await shown.waitFor({ timeout: 60_000 });
  assert.deepEqual(await findings(page), []);
  const text = ((await shown.textContent()) ?? '').replaceAll('\u00a0', ' ');
  for (const part of parts ?? (markdown ? readableMarkdown : readable))
    assert.ok(text.includes(part), `${JSON.stringify(text)} has ${part}`);
  await assertNothingRan(page);
}

export interface PlainOptions {
  readonly name?: string;
  readonly markdown?: boolean;
  /** What is to be read, where words are cut off. */
  readonly parts?: readonly string[];
}

/** No command of the words ran: it would have opened an untitled editor. */
export async function assertNothingRan(page: Page): Promise<void> {
  const untitled = page.locator('.tab', { hasText: /^Untitled-\d/ });
  assert.equal(await untitled.count(), 0, 'No untitled editor was opened.');
}

/** Clicks where the words are, as a person who was promised something by them. */
export async function clickWords(place: Locator): Promise<void> {
  const box = await place.first().boundingBox();
  assert.ok(box);
  await place.first().click({ position: { x: Math.min(60, box.width / 2), y: box.height / 2 } });
}
