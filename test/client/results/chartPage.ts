/** Opens charts in the results page, records what they ask of the host, and reads what they show. */
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

/** What charts can do beyond their page, recorded. */
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

/** Shows the chart, where the table is first, and waits for the drawing. */
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

/** The description of the chart for those who do not see it. */
export const label = async (page: Page): Promise<string> =>
  (await page.getAttribute('.plot', 'aria-label')) ?? '';

/** Chooses a value of a tool and waits until the chart is another one. */
export async function choose(page: Page, tool: string, value: string): Promise<void> {
  const former = await label(page);
  await page.selectOption(`[data-tool="${tool}"]`, value);
  await page.waitForFunction(
    (text) => document.querySelector('.plot')?.getAttribute('aria-label') !== text,
    former,
  );
}

/** The announcement of the mark that the keys lead to. */
export async function said(page: Page, ...keys: string[]): Promise<string> {
  await page.locator('.plot').focus();
  for (const key of keys) await page.keyboard.press(key);
  return (await page.locator('.plot [role="status"].heard').textContent()) ?? '';
}

/** The chart as an SVG, as it is saved. */
export async function svgOf({ page, until, charts: { done } }: ChartPage): Promise<string> {
  const saved = () => done.filter(([name]) => name === 'savePicture');
  const before = saved().length;
  await page.click('[data-tool="Picture"]');
  await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
  await until(() => saved().length > before);
  return String(saved().at(-1)?.[2]);
}
