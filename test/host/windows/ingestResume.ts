// An ingest that the end of its window cuts short: the next window offers to resume it, and in the end every
// event of the file is stored once, or its line is named as in doubt.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import {
  chooseInMenu,
  clickNotification,
  readNotification,
  reloadWindow,
  runCommand,
} from '../../../scripts/host/driver.ts';
import {
  ingestButton,
  ingestPage,
  ingestReport,
  readReport,
  setDataset,
} from '../../../scripts/host/ingestPage.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';

const eventCount = 1_500_000;

describe('an ingest that a reload interrupts', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;

  before(async () => {
    opened = await openWindow({ 'small.csv': 'a,b\n1,2\n' });
    page = opened.page;
    const text = 'x'.repeat(100);
    const lines = Array.from({ length: eventCount }, (_, n) => `{"n":${n},"text":"${text}"}\n`);
    await writeFile(join(opened.folder, 'long.ndjson'), lines.join(''));
    // Menus lack what the extension contributes to them until its commands are known.
    await runCommand(page, 'APL: Focus on Datasets View');
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `resume-${name.replaceAll(/\W+/g, '-')}.png`) });
  });

  after(() => opened.close());

  /** Asks the local deployment of the window, past the extension. */
  async function ask(apl: string): Promise<number[]> {
    const storage = join(opened.profile.userDataDirectory, 'User/globalStorage/aplomb.aplomb');
    const lock = JSON.parse(await readFile(join(storage, 'local', 'deployment.json'), 'utf8'));
    const answer = await fetch(`${lock.url}/v1/datasets/_apl?format=tabular`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lock.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl, startTime: '2000-01-01T00:00:00Z', endTime: 'now' }),
    });
    const { tables } = (await answer.json()) as { tables: { columns: number[][] }[] };
    return (tables[0]?.columns ?? []).map((column) => column[0] as number);
  }

  const openMenu = async (file: string) => {
    await page.keyboard.press('ControlOrMeta+Shift+E');
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: file });
    await chooseInMenu(page, row, 'Ingest Files');
    return ingestPage(page, file);
  };
  const reload = () => reloadWindow(page);

  it('while it is previewed is previewed again as it was chosen', async () => {
    const frame = await openMenu('small.csv');
    await setDataset(frame, 'chosen');
    const format = (shown: Frame) => shown.getByLabel('Format', { exact: true }).first();
    await format(frame).selectOption('lines');
    await frame.getByText('a,b').first().waitFor();
    await reload();
    const restored = await ingestPage(page, 'small.csv');
    assert.equal(await restored.getByLabel('Dataset').inputValue(), 'chosen');
    assert.equal(await format(restored).inputValue(), 'lines');
    await ingestButton(restored, 'Ingest').click();
    await ingestReport(page, /Ingested 2 events from small\.csv into 'chosen'\./);
    // Its report is not shown again: the events are stored.
    await reload();
    await runCommand(page, 'APL: Focus on Datasets View');
    await page.locator('.tab', { hasText: 'Ingest small.csv' }).waitFor({ state: 'detached' });
  });

  it('while it is sent is offered to be resumed, and is stored completely', async () => {
    const frame = await openMenu('long.ndjson');
    await setDataset(frame, 'long');
    await ingestButton(frame, 'Ingest').click();
    await frame
      .getByText(/\d{2,3},000 events/)
      .first()
      .waitFor();
    // At once, unlike a window that is asked to reload.
    await page.reload();
    await page.locator('.monaco-workbench').first().waitFor({ timeout: 120_000 });
    // A window that has not kept the page finds out with the first view.
    await runCommand(page, 'APL: Focus on Datasets View');
    const offer =
      /The ingest of long\.ndjson into 'long' ended early\. The first unsent line is line ([\d,]+)/;
    const { message, buttons } = await readNotification(page, offer);
    assert.deepEqual(buttons, ['Resume']);
    const line = Number(offer.exec(message)?.[1]?.replaceAll(',', ''));
    // Requests are answered in any order, so the first may be among those that were not.
    assert.ok(line >= 1 && line <= eventCount, message);
    await clickNotification(page, offer, 'Resume');
    const report = await ingestReport(page, /long\.ndjson/);
    const { headline, counts } = await readReport(report);
    const number = (text = '0') => Number(text.replaceAll(',', ''));
    const [read, stored, doubt] = [counts.Read, counts.Stored, counts['In doubt']].map(number);
    assert.equal(read, eventCount, headline);
    assert.equal(counts.Failed, '0');
    assert.equal((stored ?? 0) + (doubt ?? 0), eventCount);
    const [all = 0, distinct = 0] = await ask('long | summarize count(), dcount(n)');
    assert.ok(all >= (stored ?? 0) && all <= eventCount, `${all} of ${stored} and ${doubt}`);
    // No event is stored twice; the distinct count is an estimate.
    const [twice] = await ask('long | summarize c = count() by n | where c > 1 | count');
    assert.equal(twice ?? 0, 0);
    assert.ok(Math.abs(distinct - all) < all * 0.05);
    if (doubt) await report.getByText('In doubt').first().waitFor();
  });

  it('is not offered again once its report was seen', async () => {
    await runCommand(page, 'APL: Resume Ingest');
    await readNotification(page, /There is no ingest to resume/);
  });
});
