/** Charts in the results page: shown at once, chosen, read by pointer and keyboard, and a way back to the query. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { ChartEffects, ChartState } from '../../../client/src/charts/host/chartEffects.ts';
import type { ChartMarks } from '../../../client/src/charts/marks.ts';
import { launchBrowser } from '../../../scripts/host/browser.ts';
import {
  byMethod,
  byPath,
  events,
  kinds,
  minute,
  percentiles,
  start,
  summary,
  time,
  units,
} from './chartSamples.ts';
import { result, type Sample } from './samples.ts';
import { type Theme, themes } from './themes.ts';
import { openView, type ViewOptions, type ViewPage } from './viewPage.ts';

/** Where pictures go when somebody wants to look at them. */
const pictures = process.env.APLOMB_PICTURES;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

interface Charts extends ChartEffects {
  readonly done: [name: string, ...content: unknown[]][];
  change(state: Partial<ChartState>): void;
}

/** What charts can do beyond their page, recorded. */
function recorded(marks: Partial<ChartMarks> = {}): Charts {
  const done: Charts['done'] = [];
  const listeners = new Set<() => void>();
  let state: ChartState = { canSelectRange: true, canGoBack: false };
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

async function openChart(
  sample: Sample,
  charts: Charts = recorded(),
  options: ViewOptions = {},
): Promise<ViewPage> {
  const view = await openView(browser, { charts, chartsFirst: true, ...options });
  await view.show({ kind: 'result', result: sample });
  await isDrawn(view);
  return view;
}

/** Shows the chart, where the table is first, and waits for the drawing. */
async function isDrawn({ page, host }: ViewPage): Promise<void> {
  await page.waitForSelector('[data-mode]');
  host.act('showChart', {});
  await page.waitForSelector('.plot[aria-label], .log-line');
}

async function plotBox(page: Page) {
  const box = await page.locator('.plot').boundingBox();
  assert.ok(box);
  return box;
}

const chosen = (page: Page, tool: string) => page.locator(`[data-tool="${tool}"]`).inputValue();
const legendNames = (page: Page) => page.locator('.series-name').allTextContents();

describe('a chart in the results', () => {
  it('is shown at once for a summary over time, and the choice of the table is kept with the query', async () => {
    const view = await openChart(result([byMethod()]));
    const { page, show, complaints } = view;
    assert.equal(await chosen(page, 'Chart'), 'timeSeries');
    assert.deepEqual((await legendNames(page)).sort(), ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    await page.click('[data-mode="table"]');
    await page.waitForSelector('.slick-row .slick-cell');
    assert.equal(await page.locator('.chart-view').count(), 0);
    await show({ kind: 'result', result: result([byMethod(30)]) });
    await page.waitForFunction(() =>
      document.querySelector('.status')?.textContent?.includes('150 rows'),
    );
    assert.equal(await page.locator('.slick-row').first().isVisible(), true);
    await page.click('[data-mode="chart"]');
    await page.waitForSelector('.plot[aria-label]');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('keeps kind, style, stacking and values with the query', async () => {
    const view = await openChart(result([percentiles()], { units }));
    const { page, show } = view;
    await page.selectOption('[data-tool="Drawn as"]', 'area');
    await page.selectOption('[data-tool="Missing values"]', 'linear');
    await page.click('[data-tool="Values"]');
    await page.locator('.popup label', { hasText: 'p99' }).click();
    await page.locator('.popup .action').click();
    await page.waitForFunction(() => document.querySelectorAll('.series-name').length === 1);
    await show({ kind: 'result', result: result([percentiles(40)]) });
    await page.waitForFunction(() =>
      document.querySelector('.status')?.textContent?.includes('40 rows'),
    );
    await page.waitForSelector('.plot[aria-label]');
    assert.equal(await chosen(page, 'Drawn as'), 'area');
    assert.equal(await chosen(page, 'Missing values'), 'linear');
    assert.deepEqual(await legendNames(page), ['p50']);
    await page.close();
  });

  it('loads no code of charts while tables are shown', async () => {
    const { page, show } = await openView(browser, { chartsFirst: false });
    await show({ kind: 'result', result: result([byMethod()]) });
    await page.waitForSelector('.slick-row .slick-cell');
    assert.equal(await page.locator('script[src$="charts.js"]').count(), 0);
    await page.click('[data-mode="chart"]');
    await page.waitForSelector('.plot[aria-label]');
    assert.equal(await page.locator('script[src$="charts.js"]').count(), 1);
    await page.close();
  });

  it('follows the filters of the table', async () => {
    const { page, host } = await openChart(result([byPath]));
    assert.match((await page.getAttribute('.plot', 'aria-label')) ?? '', /5,000/);
    host.act('showTable', {});
    await page.waitForSelector('.slick-row .slick-cell');
    await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
    host.act('excludeValue', {});
    await page.waitForFunction(
      () => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === '14',
    );
    host.act('showChart', {});
    await page.waitForSelector('.plot[aria-label]');
    assert.doesNotMatch((await page.getAttribute('.plot', 'aria-label')) ?? '', /5,000/);
    await page.close();
  });

  it('shows exact values under the pointer, beyond what a double holds', async () => {
    const exact = summary(
      3,
      {
        _time: ['datetime', (row) => time(row)],
        big: ['integer', (row) => 9_223_372_036_854_775_807n - BigInt(row)],
      },
      { groups: ['_time'], aggregates: { big: 'max' }, minutes: 3 },
    );
    const { page } = await openChart(result([exact]));
    const box = await plotBox(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() =>
      document.querySelector('.hit-value')?.textContent?.startsWith('9,223,372,036,854,775,80'),
    );
    assert.equal(await page.textContent('.hit-value'), '9,223,372,036,854,775,806');
    await page.close();
  });

  it('fits its place again when a notice above it takes some of that', async () => {
    const { page } = await openChart(result([byPath]));
    await page.selectOption('[data-tool="Chart"]', 'pie');
    await page.getByText('folded into').waitFor();
    await page.waitForFunction(() => {
      const [plot, canvas] = ['.plot', '.plot canvas'].map((name) => document.querySelector(name));
      return plot && canvas && plot.clientHeight === canvas.clientHeight;
    });
    await page.close();
  });

  it('is read by the arrow keys, which say each time with its values', async () => {
    const { page } = await openChart(result([percentiles()], { units }));
    await page.locator('.plot').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const said = await page.locator('.plot [role="status"].heard').textContent();
    assert.match(said ?? '', /2026-11-21 09:01 – 09:02\. p99 \d.* ms, p50 \d.* ms/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.hit-box').isVisible(), false);
    await page.close();
  });

  it('isolates a series by a click, hides one by Ctrl+click, and narrows the list by typing', async () => {
    const many = summary(
      24,
      {
        _time: ['datetime', (row) => time(Math.floor(row / 12))],
        host: ['string', (row) => `host-${row % 12}`],
        count_: ['integer', (row) => 100 - (row % 12)],
      },
      { groups: ['_time', 'host'], aggregates: { count_: 'count' }, minutes: 2 },
    );
    const { page } = await openChart(result([many]));
    const pressed = () => page.locator('.series[aria-pressed="true"]').count();
    assert.equal(await pressed(), 12);
    await page.locator('.series', { hasText: 'host-3' }).click();
    assert.equal(await pressed(), 1);
    await page.locator('.series', { hasText: 'host-3' }).click();
    assert.equal(await pressed(), 12);
    await page.locator('.series', { hasText: 'host-5' }).click({ modifiers: ['Control'] });
    assert.equal(await pressed(), 11);
    await page.fill('.legend .field', 'host-1');
    await page.waitForFunction(() => document.querySelectorAll('.series').length === 3);
    await page.close();
  });
});

describe('a chart as a way back to the query', () => {
  it('sets the range that is dragged over, and annotates with Shift', async () => {
    const charts = recorded();
    const { page, until } = await openChart(result([percentiles()], { units }), charts);
    const box = await plotBox(page);
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + 80, { steps: 4 });
      await page.mouse.up();
    };
    await drag(0.8, 0.4);
    await until(() => charts.done.length === 1);
    const [name, from, to] = charts.done[0] ?? [];
    assert.equal(name, 'selectRange');
    assert.ok(Number(from) > start + 15 * minute && Number(from) < start + 30 * minute, `${from}`);
    assert.ok(Number(to) > start + 40 * minute && Number(to) < start + 56 * minute, `${to}`);
    await page.keyboard.down('Shift');
    await drag(0.3, 0.5);
    await page.keyboard.up('Shift');
    await until(() => charts.done.length === 2);
    assert.equal(charts.done[1]?.[0], 'annotate');
    // The button was released where the plot could not see it.
    await page.mouse.move(box.x + 2, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 2, box.y - 40);
    await page.mouse.up();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
    assert.equal(await page.locator('.range-drag').isVisible(), false);
    // A click alone chooses nothing, and Escape gives a span up.
    await page.mouse.click(box.x + box.width * 0.5, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 3 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    assert.equal(charts.done.length, 2);
    await page.close();
  });

  it('goes back by a button and by Alt+Left', async () => {
    const charts = recorded();
    const { page, until } = await openChart(result([percentiles()], { units }), charts);
    assert.equal(await page.locator('.back').count(), 0);
    charts.change({ canGoBack: true });
    await page.waitForSelector('.back');
    await page.click('.back');
    await page.locator('.plot').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await until(() => charts.done.length === 2);
    assert.deepEqual(charts.done, [['back'], ['back']]);
    await page.close();
  });

  it('adds the filter of a bar that is clicked, and excludes it with Alt', async () => {
    const { page, conditions, until } = await openChart(result([byPath]));
    const box = await plotBox(page);
    await page.mouse.move(box.x + box.width * 0.5, box.y + 16);
    await page.waitForSelector('.hit-box:not([hidden])');
    await page.mouse.click(box.x + box.width * 0.5, box.y + 16);
    await until(() => conditions.length === 1);
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + box.width * 0.5, box.y + 40);
    await page.keyboard.up('Alt');
    await until(() => conditions.length === 2);
    assert.match(JSON.stringify(conditions[0]), /path.*\/api\/v1\/items\//);
    assert.notDeepEqual(conditions[0], conditions[1]);
    await page.close();
  });

  it('adds the filter of a series from the legend by keyboard', async () => {
    const { page, conditions, until } = await openChart(result([byMethod()]));
    await page.getByRole('button', { name: 'Add POST as filter' }).focus();
    await page.keyboard.press('Enter');
    await until(() => conditions.length === 1);
    assert.match(JSON.stringify(conditions[0]), /method.*POST/);
    await page.close();
  });

  it('draws annotations and thresholds, and says which could not be read', async () => {
    const charts = recorded({
      annotations: [
        { id: 'a', title: 'Deployed 2.4', type: 'note', time: start + 20 * minute },
        {
          id: 'b',
          title: 'Maintenance',
          type: 'note',
          time: start + 30 * minute,
          endTime: start + 40 * minute,
        },
      ],
      thresholds: [{ monitor: 'Too slow', value: 300, operator: 'Above' }],
      notes: ['Thresholds of monitors could not be read: the service is busy.'],
    });
    const { page, until } = await openChart(result([percentiles()], { units }), charts);
    await page.waitForFunction(() =>
      document.querySelector('.chart-notices')?.textContent?.includes('busy'),
    );
    await page.click('[data-tool="Picture"]');
    await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
    await until(() => charts.done.length === 1);
    const svg = String(charts.done[0]?.[2]);
    for (const text of ['Deployed 2.4', 'Maintenance', 'Too slow 300 ms'])
      assert.ok(svg.includes(text), text);
    await page.close();
  });

  it('compares with an earlier span, and cancels it', async () => {
    const charts = recorded();
    const { page, until, store } = await openChart(result([percentiles()], { units }), charts);
    await page.selectOption('[data-tool="Compare"]', '1440');
    await until(() => charts.done.length === 1);
    assert.deepEqual(charts.done[0], ['compare', { minutes: 1_440 }]);
    const earlier = { label: '1 day earlier', offset: { minutes: 1_440 }, offsetMilliseconds: 0 };
    charts.change({ earlier: { ...earlier, state: { kind: 'running' } } });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until(() => charts.done.length === 2);
    assert.deepEqual(charts.done[1], ['compare', null]);
    const answer = store.answers[0]?.id;
    assert.ok(answer);
    charts.change({ earlier: { ...earlier, state: { kind: 'ready', answer } } });
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    charts.change({ earlier: { ...earlier, state: { kind: 'failed', message: 'It timed out.' } } });
    await page.waitForFunction(() =>
      document.querySelector('.chart-notices')?.textContent?.includes('It timed out.'),
    );
    await page.selectOption('[data-tool="Compare"]', 'other');
    await page.fill('.popup input', 'soon');
    await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute('.popup input', 'aria-invalid'), 'true');
    await page.fill('.popup input', '3d');
    await page.keyboard.press('Enter');
    await until(() => charts.done.length === 3);
    assert.deepEqual(charts.done[2], ['compare', { minutes: 4_320 }]);
    await page.close();
  });

  it('makes pictures with title, range and legend, in the theme or on white', async () => {
    const charts = recorded();
    const { page, until } = await openChart(
      result([byMethod()], { title: 'requests <by> method' }),
      charts,
    );
    for (const name of ['Save as SVG on white…', 'Save as PNG…']) {
      await page.click('[data-tool="Picture"]');
      await page.getByRole('button', { name, exact: true }).click();
    }
    await until(() => charts.done.length === 2);
    const [svg, png] = charts.done.map(([, , content]) => String(content));
    for (const text of [
      'requests &lt;by&gt; method',
      'last 1 hour, UTC',
      'PATCH',
      'fill="#ffffff"',
    ])
      assert.ok(svg?.includes(text), text);
    const bytes = Buffer.from(png ?? '', 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.readUInt32BE(16) >= 1_280, 'twice the least width');
    await page.close();
  });
});

describe('hostile and odd answers as charts', () => {
  it('run nothing, whatever their names and units are', async () => {
    const evil =
      '<img src=x onerror="window.owned=1">{a|b}{{c}}</text><script>window.owned=1</script>';
    const columns: Parameters<typeof summary>[1] = Object.fromEntries([
      ['_time', ['datetime', (row: number) => time(Math.floor(row / 2))]],
      ['constructor', ['integer', (row: number) => row + 1]],
    ]);
    columns[evil] = ['string', (row) => (row % 2 === 0 ? evil : '__proto__')];
    const hostile = summary(4, columns, {
      groups: ['_time', evil],
      aggregates: { constructor: 'count' },
      minutes: 2,
    });
    const marks = {
      annotations: [{ id: evil, title: evil, type: evil, time: start + minute }],
      thresholds: [{ monitor: evil, value: 2, column: evil }],
      notes: [evil],
    };
    const charts = recorded(marks);
    const sample = result([hostile], { title: evil, units: { constructor: evil } });
    const { page, complaints, until } = await openChart(sample, charts);
    for (const kind of ['timeSeries', 'topList', 'pie', 'heatmap', 'statistic']) {
      await page.selectOption('[data-tool="Chart"]', kind);
      await page.waitForSelector('.plot[aria-label]');
      const box = await plotBox(page);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.click('[data-tool="Picture"]');
      await page.getByRole('button', { name: 'Save as SVG…', exact: true }).click();
    }
    await until(() => charts.done.length === 5);
    const plain = await browser.newPage();
    for (const [, , svg] of charts.done) {
      const parsed = await plain.evaluate((text) => {
        const drawn = new DOMParser().parseFromString(text, 'image/svg+xml');
        return [
          drawn.querySelector('parsererror')?.textContent ?? '',
          drawn.querySelectorAll('script, img').length,
        ];
      }, String(svg));
      assert.deepEqual(parsed, ['', 0], String(svg).split('\n')[5]?.slice(0, 300));
    }
    await plain.close();
    assert.equal(await page.evaluate(() => 'owned' in window), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  const odd: readonly (readonly [string, Sample, RegExp])[] = [
    ['one point', result([percentiles(1)]), /1 times/],
    [
      'one series of nulls',
      result([
        summary(
          3,
          { _time: ['datetime', (row) => time(row)], x: ['float', () => null] },
          { groups: ['_time'], aggregates: { x: 'avg' }, minutes: 3 },
        ),
      ]),
      /1 series/,
    ],
    [
      'a negative stack',
      result([
        summary(
          6,
          {
            _time: ['datetime', (row) => time(Math.floor(row / 2))],
            sign: ['string', (row) => (row % 2 === 0 ? 'in' : 'out')],
            sum_x: ['float', (row) => (row % 2 === 0 ? 10 : -7)],
          },
          { groups: ['_time', 'sign'], aggregates: { sum_x: 'sum' }, minutes: 3 },
        ),
      ]),
      /out: -7 to -7/,
    ],
    [
      'series with different units',
      result(
        [
          summary(
            4,
            {
              _time: ['datetime', (row) => time(row)],
              duration: ['float', (row) => row * 10],
              size: ['float', (row) => row * 1_000],
            },
            { groups: ['_time'], aggregates: { duration: 'avg', size: 'avg' }, minutes: 4 },
          ),
        ],
        { units: { duration: 'ms', size: 'bytes' } },
      ),
      /size: 0 B to 2\.93 KiB/,
    ],
  ];
  for (const [name, sample, wanted] of odd) {
    it(`draws ${name}`, async () => {
      const { page, complaints } = await openChart(sample);
      assert.match((await page.getAttribute('.plot', 'aria-label')) ?? '', wanted);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }

  it('shows 5,000 events as a log stream that scrolls to its end', async () => {
    const { page } = await openChart(result([events]));
    assert.equal(await chosen(page, 'Chart'), 'logStream');
    await page.locator('.log-stream').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.getByText('request 4999 took 14997 ms').waitFor();
    await page.close();
  });
});

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

describe('every kind of chart in every theme', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const width of pictures
      ? [1_440, 1_000, 400]
      : theme === 'dark'
        ? [1_000, 400]
        : [1_000]) {
      it(`axe finds nothing wrong: ${theme}, ${width} pixels`, async () => {
        const view = await openView(browser, {
          theme,
          width,
          charts: recorded(),
          chartsFirst: true,
        });
        const { page, show } = view;
        await page.evaluate(axe);
        for (const [name, sample, kind, style] of kinds) {
          await show({ kind: 'result', result: { ...sample, title: name } });
          await isDrawn(view);
          if (kind) await page.selectOption('[data-tool="Chart"]', kind);
          if (style) await page.selectOption('[data-tool="Drawn as"]', style);
          await page.waitForSelector('.plot[aria-label], .log-line');
          if (pictures) {
            mkdirSync(pictures, { recursive: true });
            await page.waitForTimeout(200);
            await page.screenshot({
              path: `${pictures}/chart-${name.replace(/ /g, '-')}-${theme}-${width}.png`,
            });
          }
          const found = await page.evaluate(() => {
            const { run } = (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe;
            return run();
          });
          const wrong = found.violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
          );
          assert.deepEqual(wrong, [], name);
        }
        await page.close();
      });
    }
  }
});
