// `npm start -- --check FILE.png`: does with the keyboard what a person would do first, and tells what
// there is to see then.
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { focusEditor, goToText, readResults } from '../host/driver.ts';
import { welcomeFile } from './window.ts';

const printedRows = 5;

/** Runs the first sample query in the open editor, prints its first rows, saves a screenshot to `file`. */
export async function check(page: Page, file: string): Promise<void> {
  await focusEditor(page, welcomeFile);
  await goToText(page, 'summarize');
  await page.keyboard.press('Shift+Enter');
  const { status, columns, rows } = await readResults(page);
  const table = [columns, ...rows.slice(0, printedRows)];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  process.stdout.write(`${status.join(' · ')}\n${table.map(line).join('\n')}\n`);
  const path = resolve(file);
  await page.screenshot({ path });
  process.stdout.write(`Screenshot: ${path}\n`);
}
