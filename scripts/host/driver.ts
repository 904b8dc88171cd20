// Drives a workbench as a person does, with keys and by reading what is on the screen. Works on any
// page that shows VS Code, whether the browser's or a desktop window's.
import type { Frame, Page } from 'playwright-core';

const settleMs = 30_000;

/** What the results view shows, read from its DOM. */
export interface ShownResults {
  /** The text of the status line. */
  readonly status: string;
  readonly columns: readonly string[];
  /** The rows that are drawn at the moment, in order, each with one text per column. */
  readonly rows: readonly (readonly string[])[];
}

/** Runs a command by its title through the command palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input[type=text]');
  await input.waitFor({ timeout: settleMs });
  await input.fill(`>${title}`);
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  await row.waitFor({ timeout: settleMs });
  await row.click();
}

/** Puts the cursor on the first line of the open editor's file that contains `text`, from its top. */
export async function goToText(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+Home');
  const line = page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  await line.click({ timeout: settleMs });
}

/** Waits until the active editor's tab has this name and shows text, then focuses the text. */
export async function focusEditor(page: Page, name: string): Promise<void> {
  const tab = page.locator('.tab.active', { hasText: name });
  await tab.first().waitFor({ timeout: settleMs });
  const lines = page.locator('.editor-group-container.active .view-lines').first();
  await lines.waitFor({ timeout: settleMs });
  await page.locator('.editor-group-container.active .monaco-editor').first().click();
}

/** Reads the results view once it satisfies `wanted`. Throws, with what it last showed, after 30 seconds. */
export async function readResults(
  page: Page,
  wanted: (results: ShownResults) => boolean = (results) => results.rows.length > 0,
): Promise<ShownResults> {
  const deadline = Date.now() + settleMs;
  let last: ShownResults | undefined;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      const shown = await readFrame(frame);
      if (shown) last = shown;
      if (shown && wanted(shown)) return shown;
    }
    await page.waitForTimeout(100);
  }
  const seen = last ? JSON.stringify(last) : 'no results view at all';
  throw new Error(
    `The results view did not show what was awaited within 30 seconds; it shows ${seen}`,
  );
}

/** What a frame shows if it is the results view; undefined if it is another, or gone by now. */
async function readFrame(frame: Frame): Promise<ShownResults | undefined> {
  try {
    return await frame.evaluate(() => {
      const text = (element: Element) => (element.textContent ?? '').trim();
      const all = (root: ParentNode, selector: string) => [...root.querySelectorAll(selector)];
      const status = document.querySelector('.status-line');
      if (!status) return undefined;
      const top = (element: Element) => element.getBoundingClientRect().top;
      const left = (element: Element) => element.getBoundingClientRect().left;
      const rows = all(document, '.slick-row').sort((a, b) => top(a) - top(b));
      return {
        status: text(status),
        columns: all(document, '.slick-header-column').map(text),
        rows: rows.map((row) =>
          all(row, '.slick-cell')
            .sort((a, b) => left(a) - left(b))
            .map(text),
        ),
      };
    });
  } catch {
    return undefined;
  }
}
