// Drives the ingest page as a person does: found among the frames of a window, filled and pressed.
import type { Frame, Locator, Page } from 'playwright-core';

const settleMs = 60_000;

/** Waits for the ingest page in view that shows this file, with its preview or why there is none. */
export function ingestPage(page: Page, file: string | RegExp): Promise<Frame> {
  const pattern = typeof file === 'string' ? escaped(file) : file.source;
  return findFrame(page, `the preview of ${file}`, pattern, (source) => {
    const name = document.querySelector('.file-heading h2')?.textContent ?? '';
    const ready = document.querySelector(
      '.preview[aria-busy="false"] .preview-heading, .file > .message.error:not([hidden])',
    );
    return ready !== null && innerWidth > 0 && new RegExp(source).test(name);
  });
}

/** Waits for the ingest page in view that shows a report with this headline. */
export function ingestReport(page: Page, headline: RegExp): Promise<Frame> {
  return findFrame(page, `a report that matches ${headline}`, headline.source, (source) => {
    const shown = document.querySelector('.report:not([hidden]) h2')?.textContent ?? '';
    return innerWidth > 0 && new RegExp(source).test(shown);
  });
}

async function findFrame(
  page: Page,
  what: string,
  pattern: string,
  isIt: (pattern: string) => boolean,
): Promise<Frame> {
  for (const end = Date.now() + settleMs; Date.now() < end; ) {
    for (const frame of page.frames()) {
      // A frame may go while it is looked at.
      if (await frame.evaluate(isIt, pattern).catch(() => false)) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`No ingest page shows ${what} within ${settleMs / 1_000} seconds.`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export function ingestButton(frame: Frame, name: string): Locator {
  return frame.getByRole('button', { name, exact: true });
}

export async function setDataset(frame: Frame, dataset: string): Promise<void> {
  await frame.getByLabel('Dataset').fill(dataset);
  await frame.getByText(/^(New|Existing) dataset on/).waitFor();
}

/** Presses Ingest and waits for the report. */
export async function ingest(frame: Frame): Promise<ShownReport> {
  await ingestButton(frame, 'Ingest').click();
  return readReport(frame);
}

export interface ShownReport {
  readonly headline: string;
  /** By label, as it is written. */
  readonly counts: Readonly<Record<string, string>>;
}

export async function readReport(frame: Frame): Promise<ShownReport> {
  await frame.locator('.report:not([hidden]) > .counts').waitFor({ timeout: settleMs });
  return frame.evaluate(() => ({
    headline: document.querySelector('.report h2')?.textContent ?? '',
    counts: Object.fromEntries(
      [...document.querySelectorAll('.report > .counts > div')].map((row) => [
        row.querySelector('dt')?.textContent ?? '',
        row.querySelector('dd')?.textContent ?? '',
      ]),
    ),
  }));
}
