// Drives a workbench as a person does, with keys and by reading what is on the screen. Works on any
// page that shows VS Code, whether the browser's or a desktop window's.
import type { Frame, Locator, Page } from 'playwright-core';

/** Longer than a window takes on a busy machine for what it does at once otherwise. */
const settleMs = 60_000;
const reloadMs = 120_000;
/** A notification that is not a toast by then is looked for in the notification center. */
const toastMs = 15_000;
/** How long a step may take before the way to it is tried again. */
const stepMs = 2_000;

/** What the results view shows, read from its DOM. */
export interface ShownResults {
  /** The parts of the status line, its notices last; empty unless there is a result. */
  readonly status: readonly string[];
  /** The names of the columns, without that of the row numbers. */
  readonly columns: readonly string[];
  /** The rows that are drawn at the moment, in order, each with one text per column. */
  readonly rows: readonly (readonly string[])[];
  /** The label of the tab in view, and its query. */
  readonly title: string;
  /** The heading and text that appear instead of rows, such as those of an error. */
  readonly message: string;
  /** The sentence above the rows; empty unless there is one. */
  readonly hint: string;
}

/**
 * Runs a command by its title, such as `APL: Run Query`, through the command palette. The palette lists
 * the commands of the moment it is opened, so it is opened again until an extension has brought its own.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  if (await chooseFromQuickOpen(page, 'F1', `>${title}`, title)) return;
  throw new Error(`VS Code offers no command "${title}". Is the extension loaded?`);
}

/** Reloads the window, as the command of this name does, and waits for its workbench. */
export async function reloadWindow(page: Page): Promise<void> {
  await Promise.all([
    page.waitForEvent('load', { timeout: reloadMs }),
    runCommand(page, 'Developer: Reload Window'),
  ]);
  await page.locator('.monaco-workbench').first().waitFor({ timeout: reloadMs });
}

/** Waits until a tab of the editor is active, and leaves the cursor where it is. */
export async function focusTab(page: Page, name: string): Promise<void> {
  await page.locator('.tab.active', { hasText: name }).waitFor({ timeout: settleMs });
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
}

/** Opens a file of the workspace by its name, and waits for its editor. */
export async function openFile(page: Page, name: string): Promise<void> {
  const active = page.locator('.tab.active', { hasText: name });
  // A page that takes the focus at this moment comes back to the front.
  for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt += 1) {
    if (!(await chooseFromQuickOpen(page, 'ControlOrMeta+p', name, name)))
      throw new Error(`VS Code lists no file "${name}".`);
    const isActive = await active.waitFor({ timeout: OPEN_MS }).then(
      () => true,
      () => false,
    );
    if (isActive) break;
  }
  await focusTab(page, name);
}

const OPEN_ATTEMPTS = 3;
const OPEN_MS = 10_000;

/** False if there was no row with this text for a minute. */
async function chooseFromQuickOpen(
  page: Page,
  key: string,
  text: string,
  rowText: string,
): Promise<boolean> {
  const deadline = Date.now() + settleMs;
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: rowText }).first();
  const input = page.locator('.quick-input-widget input[type=text]');
  // What takes the focus at this moment, such as an editor that opens, closes the list.
  const steps = [
    () => page.keyboard.press(key),
    () => input.fill(text, { timeout: stepMs }),
    () => row.waitFor({ timeout: stepMs }),
    () => row.click({ timeout: stepMs }),
  ];
  while (Date.now() < deadline) {
    const done = await steps
      .reduce((before, step) => before.then(step), Promise.resolve())
      .then(
        () => true,
        () => false,
      );
    if (done) return true;
    await page.keyboard.press('Escape');
  }
  return false;
}

/** Chooses a dark color theme by its name: at its start, VS Code in a browser ignores the setting. */
export async function chooseTheme(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.press('ControlOrMeta+t');
  const theme = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  await theme.waitFor();
  await theme.click();
  await page.locator('.monaco-workbench.vs-dark').waitFor();
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
 * Reads the results view once it satisfies `wanted`, by default once it has rows. Throws after a
 * minute, with what it shows then.
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
    `The results view did not show within a minute what was awaited. It shows ${seen}`,
  );
}

/** Clicks a button of the results view. */
export async function clickInResults(page: Page, label: string): Promise<void> {
  for (const frame of page.frames()) {
    const button = frame.locator('#app button', { hasText: label });
    if ((await button.count().catch(() => 0)) > 0) return button.first().click();
  }
  throw new Error(`The results view has no button "${label}".`);
}

/** Returns the frame of the results view once a form with this text is open in it. */
export async function formInResults(page: Page, text: string): Promise<Frame> {
  for (const end = Date.now() + settleMs; Date.now() < end; await page.waitForTimeout(100)) {
    for (const frame of page.frames()) {
      const form = frame.locator('.popup-form', { hasText: text });
      if ((await form.count().catch(() => 0)) > 0) return frame;
    }
  }
  throw new Error(`The results view has no form with "${text}".`);
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
        title: all('.tab-strip [aria-selected="true"]')
          .map(
            (tab) => `${tab.querySelector('.tab-title')?.textContent} ${tab.getAttribute('title')}`,
          )
          .join(' '),
        message: texts('.message h2, .message p').join(' '),
        hint: texts('.hint span').join(' '),
      };
    });
  } catch {
    return undefined;
  }
}

/** A notification as a person sees it. */
export interface ShownNotification {
  readonly message: string;
  readonly buttons: readonly string[];
  /** Whether it shows a progress bar. */
  readonly progress: boolean;
}

/** Waits for a notification whose message matches, and reads it. */
export async function readNotification(page: Page, message: RegExp): Promise<ShownNotification> {
  const item = await findNotification(page, message);
  const bar = item.locator('.monaco-progress-container.active');
  const shown = {
    message: (await item.locator('.notification-list-item-message').innerText()).trim(),
    buttons: await item.locator('.notification-list-item-buttons-container a').allInnerTexts(),
    progress: (await bar.count()) > 0,
  };
  await hideNotificationCenter(page);
  return shown;
}

/** Waits for a notification whose message matches, and clicks one of its buttons. */
export async function clickNotification(
  page: Page,
  message: RegExp,
  button: string,
): Promise<void> {
  const item = await findNotification(page, message);
  // Buttons appear as links of the same text, which the pointer has to be over.
  await item.hover();
  await item
    .locator('.notification-list-item-buttons-container a', { hasText: button })
    .click({ timeout: settleMs });
  await hideNotificationCenter(page);
}

/**
 * Finds a toast, or an item of the notification center: VS Code shows no toast for what follows three others within
 * 800 ms.
 */
export async function findNotification(page: Page, message: RegExp): Promise<Locator> {
  // A progress bar is in the row, next to the item.
  const items = page.locator('.notifications-list-container .monaco-list-row');
  const item = items.filter({ hasText: message }).first();
  if (
    await item.waitFor({ timeout: toastMs }).then(
      () => true,
      () => false,
    )
  )
    return item;
  await runCommand(page, 'Notifications: Show Notifications');
  try {
    await item.waitFor({ timeout: settleMs });
  } catch {
    const shown = await items.allInnerTexts();
    throw new Error(`No notification matches ${message}. VS Code shows: ${JSON.stringify(shown)}`);
  }
  return item;
}

async function hideNotificationCenter(page: Page): Promise<void> {
  if (await page.locator('.notifications-center.visible').isVisible())
    await runCommand(page, 'Notifications: Hide Notifications');
}

/**
 * Records every message that a notification shows from now on, in order, with those of progress, which
 * come and go. Returns a function that reads them.
 */
export async function recordNotifications(page: Page): Promise<() => Promise<string[]>> {
  const record = await page.evaluateHandle(() => {
    const messages: string[] = [];
    const read = () => {
      for (const item of document.querySelectorAll(
        '.notification-toast .notification-list-item-message',
      )) {
        const text = item.textContent?.trim() ?? '';
        if (text !== '' && !messages.includes(text)) messages.push(text);
      }
    };
    new MutationObserver(read).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    return messages;
  });
  return () => record.jsonValue();
}

/** Waits for a modal dialog whose text matches, and clicks one of its buttons. */
export async function answerDialog(page: Page, text: RegExp, button: string): Promise<void> {
  const dialog = page.locator('.monaco-dialog-box').filter({ hasText: text });
  await dialog.waitFor({ timeout: settleMs });
  await dialog.locator('.monaco-button', { hasText: button }).click();
  await dialog.waitFor({ state: 'detached', timeout: settleMs });
}

/** Fills the input box whose title or prompt contains `about`, and accepts it. */
export async function fillInput(page: Page, about: string, value: string): Promise<void> {
  await page.locator('.quick-input-widget', { hasText: about }).waitFor({ timeout: settleMs });
  await page.locator('.quick-input-widget input:visible').first().fill(value);
  await page.keyboard.press('Enter');
}

/** Waits for the row of a tree whose text matches. */
export async function treeRow(page: Page, view: string, text: string | RegExp): Promise<Locator> {
  const pane = page.locator('.pane', { has: page.locator(`.pane-header[aria-label^="${view}"]`) });
  const row = pane.locator('.monaco-list-row').filter({ hasText: text }).first();
  await row.waitFor({ timeout: settleMs });
  return row;
}

/** Opens the context menu of a row and chooses an item. Throws after a minute. */
export async function chooseInMenu(page: Page, row: Locator, item: string): Promise<void> {
  const menu = page.locator('.monaco-menu');
  let isClicked = false;
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; ) {
    const isOpen = (await menu.count()) > 0;
    if (isClicked && !isOpen) return;
    // Results that arrive take the focus, which closes the menu.
    if (!isOpen) await row.click({ button: 'right' });
    const entry = menu.locator('.action-item', { hasText: item }).first();
    if (!(await settled(entry.click({ timeout: 5_000 })))) continue;
    isClicked = true;
    // A menu ignores the mouse for a moment after it opens, so that the click that opens it chooses nothing.
    await settled(menu.first().waitFor({ state: 'detached', timeout: 1_000 }));
  }
  throw new Error(`The menu has no item "${item}", or did not close.`);
}

/** Returns whether it was done in its time. */
function settled(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
