// Drives a workbench as a person does, with keys and by reading what is on the screen. Works on any
// page that shows VS Code, whether the browser's or a desktop window's.
import type { Frame, Page } from 'playwright-core';

const settleMs = 30_000;

/** What the results view shows, read from its DOM. */
export interface ShownResults {
  /** The parts of the status line, its notices last; empty unless there is a result. */
  readonly status: readonly string[];
  /** The names of the columns, without that of the row numbers. */
  readonly columns: readonly string[];
  /** The rows that are drawn at the moment, in order, each with one text per column. */
  readonly rows: readonly (readonly string[])[];
  /** The heading and text that stand there instead of rows, such as those of an error. */
  readonly message: string;
}

/**
 * Runs a command by its title, such as `APL: Run Query`, through the command palette. The palette lists
 * the commands of the moment it is opened, so it is opened again until an extension has brought its own.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const deadline = Date.now() + settleMs;
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  while (Date.now() < deadline) {
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input[type=text]');
    await input.waitFor({ timeout: settleMs });
    await input.fill(`>${title}`);
    const found = await row.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (found) return row.click();
    await page.keyboard.press('Escape');
  }
  throw new Error(`VS Code offers no command "${title}". Is the extension loaded?`);
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

/**
 * Reads the results view once it satisfies `wanted`, by default once it has rows. Throws after 30
 * seconds, with what it shows then.
 */
export async function readResults(
  page: Page,
  wanted: (results: ShownResults) => boolean = (results) => results.rows.length > 0,
): Promise<ShownResults> {
  const deadline = Date.now() + settleMs;
  let last: ShownResults | undefined;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      const shown = await readFrame(frame);
      if (shown && wanted(shown)) return shown;
      if (shown) last = shown;
    }
    await page.waitForTimeout(100);
  }
  const seen = last ? JSON.stringify(last) : 'no results view at all';
  throw new Error(
    `The results view did not show within 30 seconds what was awaited. It shows ${seen}`,
  );
}

/** What a frame shows if it is the results view; undefined if it is another, gone, or still drawing. */
async function readFrame(frame: Frame): Promise<ShownResults | undefined> {
  try {
    return await frame.evaluate(() => {
      const app = document.querySelector('#app');
      if (!app || app.querySelector('.pending')) return undefined;
      const all = (selector: string) => [...app.querySelectorAll(selector)];
      const texts = (selector: string) => all(selector).map((found) => found.textContent ?? '');
      // The row numbers are frozen, so one row of the table is two rows side by side in the page.
      const rows = new Map<number, { left: number; text: string }[]>();
      for (const cell of all('.slick-cell:not(.row-number)')) {
        const { top, left } = cell.getBoundingClientRect();
        const row = rows.get(Math.round(top)) ?? [];
        rows.set(Math.round(top), [...row, { left, text: (cell.textContent ?? '').trim() }]);
      }
      const sorted = [...rows].sort(([one], [other]) => one - other);
      return {
        status: [...texts('.summary .part'), ...texts('.notice')],
        columns: texts('.header-name').filter((name) => name !== '#'),
        rows: sorted.map(([, row]) =>
          row.sort((one, other) => one.left - other.left).map((cell) => cell.text),
        ),
        message: texts('.message h2, .message p').join(' '),
      };
    });
  } catch {
    return undefined;
  }
}
