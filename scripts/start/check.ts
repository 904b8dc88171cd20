// `npm start -- --check [FILE.png]`: does with the keyboard what a person would do first, and tells what
// there is to see then.
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import {
  chooseTheme,
  focusEditor,
  goToText,
  readResults,
  runCommand,
  type ShownResults,
} from '../host/driver.ts';
import { loadSampleData, welcomeFile } from './window.ts';

const printedRows = 5;

/**
 * Runs the first sample query in the open editor and prints its first rows. Where a `file` is named, it saves a
 * screenshot to it, also of a window that does not show what it should.
 */
export async function check(page: Page, file: string | undefined): Promise<void> {
  try {
    await loadSampleData(page);
    await chooseTheme(page, 'Dark Modern');
    // So that the screenshot shows what there is to query.
    await runCommand(page, 'APL: Focus on Datasets View');
    await page.locator('.monaco-list-row', { hasText: 'sample-http-logs' }).first().click();
    await focusEditor(page, welcomeFile);
    await goToText(page, 'summarize');
    await page.keyboard.press('Shift+Enter');
    print(await readResults(page));
  } finally {
    if (file !== undefined) {
      const path = resolve(file);
      await page.screenshot({ path });
      process.stdout.write(`Screenshot: ${path}\n`);
    }
  }
}

function print({ status, columns, rows }: ShownResults): void {
  const table = [columns, ...rows.slice(0, printedRows)];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  process.stdout.write(`${status.join(' · ')}\n${table.map(line).join('\n')}\n`);
}
