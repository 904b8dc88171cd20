// What the two ways of opening VS Code for a person have in common.
import type { Page } from 'playwright-core';
import { runCommand } from '../host/driver.ts';
import type { Profile } from '../host/profile.ts';

/** Something that has been started and has to be ended; the last one started is ended first. */
export interface Part {
  stop(): Promise<void>;
}

/** An open window of VS Code. */
export interface OpenWindow {
  readonly page: Page;
  readonly profile: Profile;
  /** The message once the sample data is loaded. */
  readonly message: string;
  /** Resolves when the window is gone. */
  readonly closed: Promise<void>;
}

/** The file that loading the sample data opens. */
export const welcomeFile = 'welcome.apl';

const ingestLimitMs = 60_000;

/** Chooses the samples that come with the extension. */
export async function chooseBundledSamples(page: Page): Promise<void> {
  await runCommand(page, 'APL: Load Sample Data…');
  const kinds = page.locator('.quick-input-list .monaco-list-row');
  await kinds.filter({ hasText: 'Bundled samples with queries' }).click();
}

/** Loads the sample data through the extension's own command and waits for the file that it opens. */
export async function loadSampleData(page: Page): Promise<void> {
  await chooseBundledSamples(page);
  const tab = page.locator('.tab.active', { hasText: welcomeFile });
  try {
    await tab.waitFor({ timeout: ingestLimitMs });
  } catch {
    const shown = await page.locator('.notification-list-item-message').allTextContents();
    throw new Error(
      `Load Sample Data did not open ${welcomeFile} within ${ingestLimitMs / 1000} seconds. ` +
        `VS Code shows: ${shown.join(' ') || 'no message'}`,
    );
  }
}
