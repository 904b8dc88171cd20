/**
 * Five hundred hostile answers: names, cells, titles, units, messages and actions that try to run something,
 * to reach the network, or to break out of the page. Drawn, searched, opened and filtered; nothing runs.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { seeded } from '../../language/random.ts';
import { assertHarmless, assertShown, foreign } from '../foreignText.ts';
import { bodyOf, result, type Sample, table } from './samples.ts';
import { openView } from './viewPage.ts';
import { cell, openResult } from './workPage.ts';

let browser: Browser;
before(async () => {
  browser = await pageBrowser();
});
after(() => browser?.close());

const parts = [
  '<img src=x onerror="window.owned=1">',
  '<script>window.owned=1</script>',
  '"><svg onload=window.owned=1>',
  "' onmouseover='window.owned=1",
  '</style><script>window.owned=1</script>',
  '</script><script>window.owned=1</script>',
  'javascript:window.owned=1',
  'https://evil.example/<script>window.owned=1</script>',
  'command:workbench.action.terminal.new',
  'vscode://evil/run',
  '{"__proto__":{"owned":1}}',
  '__proto__',
  'constructor',
  'toString',
  '${window.owned=1}',
  '{{constructor.constructor("window.owned=1")()}}',
  'url(javascript:window.owned=1)',
  '}*{background:url(https://evil.example/x)}',
  '\u202Etxt.exe\u202C',
  '\u0000\u001B]8;;https://evil.example\u0007',
  '=cmd|" /C calc"!A0',
  '&lt;script&gt;',
  '<iframe srcdoc="<script>parent.owned=1</script>">',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<form action=https://evil.example><input autofocus onfocus=window.owned=1>',
  '%3Cscript%3Ewindow.owned=1%3C/script%3E',
  '\uD800',
  ']]>',
  '-->',
];

/** All answers with APLOMB_LONG=1, otherwise the first fifty. */
const rounds = process.env.APLOMB_LONG === '1' ? 500 : 50;

it('hostile answers run no code, send no requests and add no elements to the page', async () => {
  const { below } = seeded(16);
  const random = () => below(1_000) / 1_000;
  const pick = () => {
    const text = parts[Math.floor(random() * parts.length)] ?? '';
    return random() < 0.3 ? text + pick2() : text;
  };
  const pick2 = () => parts[Math.floor(random() * parts.length)] ?? '';
  const view = await openView(browser, { width: 900 });
  const { page, show, complaints, links, actions, host } = view;
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  const styles = await page.evaluate(() => document.styleSheets.length);
  for (let round = 0; round < rounds; round++) {
    const columns = Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => [
        pick(),
        [
          ['string', 'integer|string', 'map', 'datetime', 'float', 'boolean'][
            Math.floor(random() * 6)
          ] as string,
          (): string | Record<string, string> => (random() < 0.3 ? { [pick()]: pick() } : pick()),
        ] as [string, () => string],
      ]),
    );
    const sample: Sample = result([table(3, columns), { ...table(1, columns), name: pick() }], {
      title: pick(),
      units: Object.fromEntries(Object.keys(columns).map((name) => [name, pick()])),
      messages: [{ priority: pick(), code: pick(), msg: pick() }],
    });
    JSON.parse(bodyOf(sample));
    if (round % 10 === 9) {
      const offered = [{ label: pick(), command: 'aplomb.runLastQuery' }];
      await show({
        kind: 'failed',
        title: pick(),
        message: pick(),
        traceId: pick(),
        actions: offered,
      });
      await page.waitForSelector('.message.failed');
      await page.locator('.action').click();
      continue;
    }
    await show({
      kind: 'result',
      result: sample,
      hint: { message: pick(), actions: [{ label: pick(), command: 'x' }] },
    });
    await page.waitForFunction(
      (wanted) => document.querySelector('.grid')?.querySelectorAll('.slick-row').length === wanted,
      6,
    );
    if (round % 5 === 0) {
      await page.locator('.slick-row[data-row="0"] .slick-cell.l1').click();
      await page.keyboard.press(' ');
      await page.waitForSelector('.detail [role="treeitem"]');
      await page
        .locator('.slick-row[data-row="0"] .slick-cell.l1 span')
        .click({ modifiers: ['ControlOrMeta'] });
      host.act('openLink', { row: 1, column: 0 });
    }
    if (round % 25 === 0) {
      host.act('filterColumn', { row: 0, column: 0 });
      await page.waitForSelector('.column-panel .value');
      await page.locator('.value input').first().check();
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.waitForSelector('.chip');
      host.act('find', {});
      await page.locator('.find-text').fill(pick());
      await page.waitForTimeout(200);
    }
  }
  const state = await page.evaluate(() => ({
    owned: 'owned' in window || 'owned' in {},
    sheets: document.styleSheets.length,
    foreign: document.querySelectorAll('iframe, base, img, form:not(.panel-form), object, embed')
      .length,
    scripts: document.scripts.length,
  }));
  assert.deepEqual(state, { owned: false, sheets: state.sheets, foreign: 0, scripts: 1 });
  assert.ok(state.sheets <= styles + 1, 'the grid adds one sheet');
  assert.deepEqual(requested, []);
  assert.deepEqual(complaints, []);
  assert.ok(
    links.every((link) => /^https:\/\/evil\.example\//.test(link)),
    links.join(' '),
  );
  assert.ok(actions.every(({ command }) => command === 'aplomb.runLastQuery'));
  await page.close();
});

describe('untrusted text on the results page is visible and never markup', () => {
  const answer = result(
    [
      table(2, {
        [foreign]: ['string', () => foreign],
        n: ['float', (row) => row + 0.5],
        map: ['map', () => ({ [foreign]: foreign })],
      }),
    ],
    {
      title: foreign,
      units: { n: foreign },
      messages: [{ priority: 'warn', code: foreign, msg: `${foreign}\nnext` }],
    },
  );
  const hint = { message: foreign, actions: [{ label: foreign, command: 'x' }] };

  it('in tabs, the status line, notices, headers and cells', async () => {
    const view = await openView(browser, { width: 1200 });
    await view.show({ kind: 'result', result: answer, query: `${foreign}\n| count`, hint });
    await assertShown(view.page, {
      '.tab-title': '*',
      '[role="tab"] @title': '*\n| count',
      '.notice span': '*',
      '.notice @title': '*\nnext',
      '.notice @aria-label': '*\nnext',
      '.hint span': '*',
      '.hint .action': '*',
      '.header-name >> nth=1': '*',
      '.slick-header-column >> nth=1 @aria-label': '*, string',
      '.slick-header-column >> nth=1 @title':
        '*: string\nClick to sort, Shift+click to sort by several columns',
      '.header-filter @aria-label': 'Summary and filters of *',
      '.header-unit >> nth=1': '*',
      '.slick-row[data-row="0"] .slick-cell.l1': '*',
      '[role="grid"] @aria-label': '*: * | count',
    });
    await assertHarmless(view.page);
    assert.deepEqual(view.complaints, []);
    await view.page.close();
  });

  it('in filters, panels, forms and the detail pane', async () => {
    const view = await openResult(browser, answer);
    const { page, host, parameterForms } = view;
    await cell(page, 0, 1).click();
    host.act('filterByValue', { row: 0, column: 0 });
    await assertShown(page, {
      '.chip-text': '* is “*”',
      '.chip-text @title': '* is “*”\nClick to change',
      '.chip-remove @aria-label': 'Remove filter: * is “*”',
    });
    host.act('filterColumn', { row: 0, column: 0 });
    await assertShown(page, {
      '.column-panel .panel-name': '*',
      '.value-text': '*',
      '.value-text @title': '*',
    });
    await assertHarmless(page);
    await page.keyboard.press('Escape');
    host.act('chooseColumns', {});
    await assertShown(page, { '.column-chooser .value-text': '*' });
    await page.keyboard.press('Escape');
    host.act('exportResult', {});
    await assertShown(page, {
      '.export-form .panel-name': 'Export *',
      '.export-form .panel-name @title': 'Export *',
    });
    await page.keyboard.press('Escape');
    void parameterForms.ask(
      foreign,
      [{ name: foreign, type: 'string', defaultText: foreign }],
      new Map(),
    );
    await assertShown(page, {
      '.parameter-popup .panel-name': 'Parameters of *',
      '.parameter-popup .form-label': '*',
      '.parameter-popup .form-detail': 'string, default: *',
    });
    assert.equal(await page.inputValue('.parameter-popup .field'), foreign);
    await page.keyboard.press('Escape');
    host.act('toggleDetail', {});
    await assertShown(page, {
      '.detail .key >> nth=0': '*',
      '.detail .val >> nth=0': '*',
      '.detail [aria-level="2"] .key': '*',
      '.detail [aria-level="2"] .val': '*',
    });
    await assertHarmless(page);
    assert.deepEqual(view.complaints, []);
    await page.close();
  });

  it('while a query runs, and after it fails or is cancelled', async () => {
    const { page, show, complaints } = await openView(browser);
    await show({ kind: 'running', title: foreign, startedAt: Date.now() });
    await assertShown(page, { '.message p': '*' });
    await assertHarmless(page);
    await show({ kind: 'cancelled', title: foreign });
    await page.getByText('Cancelled after').waitFor();
    await assertShown(page, { '.message p': '*' });
    const actions = [{ label: foreign, command: 'x', readyAt: Date.now() + 5_000 }];
    const message = `${foreign}\nnext`;
    await show({ kind: 'failed', title: foreign, message, traceId: foreign, actions });
    await assertShown(page, {
      '.message.failed h2': '*',
      '.reason': '*\nnext',
      '.trace': 'Trace *',
      '.message .action @aria-label': '*',
    });
    await assertHarmless(page);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('and is unchanged in the field that renames a tab', async () => {
    const { page, host, tabs } = await openResult(browser, answer);
    host.act('renameTab', { tab: tabs.active?.id ?? '' });
    assert.equal(await page.inputValue('.tab-name'), foreign);
    await page.close();
  });
});
