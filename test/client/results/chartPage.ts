/** Opens charts on the results page, records their requests to the host, and reads what they show. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { ChartEffects, ChartState } from '../../../client/src/charts/host/chartEffects.ts';
import type { ChartMarks } from '../../../client/src/charts/marks.ts';
import type { Sample } from './samples.ts';
import { openView, type ViewOptions, type ViewPage } from './viewPage.ts';

export interface RecordedCharts extends ChartEffects {
  readonly done: [name: string, ...content: unknown[]][];
  change(state: Partial<ChartState>): void;
}

/** Records what charts request outside their page. */
export function recorded(
  marks: Partial<ChartMarks> = {},
  initial: Partial<ChartState> = {},
): RecordedCharts {
  const done: RecordedCharts['done'] = [];
  const listeners = new Set<() => void>();
  let state: ChartState = { canSelectRange: true, canGoBack: false, ...initial };
  return {
    done,
    change: (changed) => {
      state = { ...state, ...changed };
      for (const listener of listeners) listener();
    },
    state: () => state,
    selectRange: async (_, from, to) => void done.push(['selectRange', from, to]),
    back: async () => void done.push(['back']),
    annotate: async (_, from, to) => void done.push(['annotate', from, to]),
    compare: (_, __, offset) => void done.push(['compare', offset]),
    marks: async () => ({ annotations: [], thresholds: [], notes: [], ...marks }),
    savePicture: async (_, format, content) => void done.push(['savePicture', format, content]),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

export interface ChartPageOptions extends ViewOptions {
  readonly charts?: RecordedCharts;
}

export interface ChartPage extends ViewPage {
  readonly charts: RecordedCharts;
}

export async function openChart(
  browser: Browser,
  sample: Sample,
  options: ChartPageOptions = {},
): Promise<ChartPage> {
  const { charts = recorded() } = options;
  const view = await openView(browser, { chartsFirst: true, ...options, charts });
  await view.show({ kind: 'result', result: sample });
  await isDrawn(view);
  return { ...view, charts };
}

/** Shows the chart if the table is shown first, and waits until it is drawn. */
export async function isDrawn({ page, host }: ViewPage): Promise<void> {
  await page.waitForSelector('[data-mode]');
  host.act('showChart', {});
  await page.waitForSelector('.plot[aria-label], .log-line');
}

export async function plotBox(page: Page) {
  const box = await page.locator('.plot').boundingBox();
  assert.ok(box);
  return box;
}

export const chosen = (page: Page, tool: string) =>
  page.locator(`[data-tool="${tool}"]`).inputValue();
export const legendNames = (page: Page) => page.locator('.series-name').allTextContents();

/** Returns the description of the chart for screen readers. */
export const label = async (page: Page): Promise<string> =>
  (await page.getAttribute('.plot', 'aria-label')) ?? '';

/** Chooses a value of a tool, and waits until the chart has changed. */
export async function choose(page: Page, tool: string, value: string): Promise<void> {
  const former = await label(page);
  await page.selectOption(`[data-tool="${tool}"]`, value);
  await page.waitForFunction(
    (text) => document.querySelector('.plot')?.getAttribute('aria-label') !== text,
    former,
  );
}

/** Presses the keys, and returns the announcement of the mark that they reach. */
export async function said(page: Page, ...keys: string[]): Promise<string> {
  await page.locator('.plot').focus();
  for (const key of keys) await page.keyboard.press(key);
  return (await page.locator('.plot [role="status"].heard').textContent()) ?? '';
}

/** Saves the chart as SVG, and returns the SVG. */
export async function svgOf({ page, until, charts: { done } }: ChartPage): Promise<string> {
  const saved = () => done.filter(([name]) => name === 'savePicture');
  const before = saved().length;
  await page.click('[data-tool="Picture"]');
  await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
  await until(() => saved().length > before);
  return String(saved().at(-1)?.[2]);
}
