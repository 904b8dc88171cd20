// Load Sample Data…: Enter at every step, another amount and span, and a dataset that exists.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { SampleOutcome } from '../../../client/src/ingest/samples/sendSample.ts';
import { askLocal } from '../local.ts';
import { withWindow } from '../window.ts';

/** Answers the steps of the command by text that is typed first, if any; returns what came of it. */
async function load(answers: readonly string[]): Promise<SampleOutcome | undefined> {
  const outcome = vscode.commands.executeCommand<SampleOutcome | undefined>(
    'aplomb.generateSampleData',
  );
  await withWindow(async (page) => {
    for (const [index, answer] of answers.entries()) await answerStep(page, index, answer);
  });
  return outcome;
}

async function answerStep(page: Page, index: number, answer: string): Promise<void> {
  const title = index < 4 ? `(${index + 1} of 4)` : 'exists';
  const step = page.locator('.quick-input-widget', { hasText: title });
  await step.waitFor();
  const input = step.locator('input[type=text]');
  if (answer !== '') await input.fill(answer);
  await input.press('Enter');
  await step.waitFor({ state: 'hidden' });
}

async function rowsOf(apl: string): Promise<unknown[]> {
  const answer = (await askLocal('POST', '/v1/datasets/_apl?format=tabular', {
    apl,
    startTime: '2000-01-01T00:00:00Z',
    endTime: '2100-01-01T00:00:00Z',
  })) as { tables: { columns: unknown[][] }[] };
  return (answer.tables[0]?.columns ?? []).map(([value]) => value);
}

const HOUR_MS = 3_600_000;

describe('load sample data', () => {
  it('with Enter alone: 100,000 HTTP logs of the last 24 hours', async () => {
    const before = Date.now();
    const outcome = await load(['', '', '', '']);
    assert.deepEqual(outcome, { stored: 100_000, failed: 0, cancelled: false });
    const [count, first, last, statuses] = await rowsOf(
      "['generated-http-logs'] | summarize count(), min(_time), max(_time), dcount(status)",
    );
    assert.equal(count, 100_000);
    const [from, to] = [Date.parse(String(first)), Date.parse(String(last))];
    assert.ok(to <= Date.now() && to > before - 60_000, `ends at ${last}`);
    assert.ok(Math.abs(to - from - 24 * HOUR_MS) < HOUR_MS / 6, `starts at ${first}`);
    assert.ok((statuses as number) > 8);
  });

  it('appends to a dataset that exists, or replaces it', async () => {
    const traces = ['Traces', '7k', 'Last hour', ''];
    assert.equal((await load(traces))?.stored, 7_000);
    const count = () => rowsOf("['generated-traces'] | summarize count(), dcount(name)");
    assert.deepEqual((await count())[0], 7_000);
    assert.equal((await load([...traces, 'Append']))?.stored, 7_000);
    assert.deepEqual((await count())[0], 14_000);
    assert.equal((await load([...traces, 'Replace']))?.stored, 7_000);
    assert.deepEqual((await count())[0], 7_000);
  });

  it('stores nothing when a step is left', async () => {
    const outcome = vscode.commands.executeCommand('aplomb.generateSampleData');
    await withWindow(async (page) => {
      await answerStep(page, 0, 'Metrics');
      await page.locator('.quick-input-widget', { hasText: '(2 of 4)' }).waitFor();
      await page.keyboard.press('Escape');
    });
    assert.equal(await outcome, undefined);
    const names = ((await askLocal('GET', '/v2/datasets')) as { name: string }[]).map(
      ({ name }) => name,
    );
    assert.ok(!names.includes('generated-metrics'));
  });
});
