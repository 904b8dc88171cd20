/**
 * The results view in a real browser without VS Code around it: the real page, policy, script and
 * styles, answered by the real host side's rows and state. For behaviour and for pictures in every theme.
 */
import { join } from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { resultsPage } from '../../../client/src/results/html.ts';
import type { FromView, ToView } from '../../../client/src/results/messages.ts';
import type { ResultState } from '../../../client/src/results/result.ts';
import { TableRows } from '../../../client/src/results/rows.ts';
import { viewState } from '../../../client/src/results/viewState.ts';
import { root } from '../../house/sources.ts';
import { type Theme, themes } from './themes.ts';

const origin = 'http://view.localhost';
const nonce = 'bm9uY2U';

/** The one function that VS Code gives a webview; the kept state outlives the page, as it does there. */
const bridge = `
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.toHost(message),
    getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('kept', JSON.stringify(state)),
  });
`;

export interface ViewPage {
  readonly page: Page;
  /** Everything the view has sent, in order. */
  readonly sent: FromView[];
  /** What the browser refused or complained of: policy violations and errors. */
  readonly complaints: string[];
  /** What the view has put on the clipboard. */
  readonly copied: string[];
  show(state: ResultState): Promise<void>;
}

async function bundle(): Promise<{ script: string; style: string }> {
  const built = await esbuild.build({
    entryPoints: [join(root, 'client/src/results/view/main.ts')],
    bundle: true,
    write: false,
    outdir: 'out',
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
    loader: { '.gif': 'dataurl', '.png': 'dataurl', '.svg': 'dataurl' },
  });
  const text = (ending: string) =>
    built.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

export async function openView(
  browser: Browser,
  options: { theme?: Theme; width?: number; height?: number } = {},
): Promise<ViewPage> {
  const { theme = 'dark', width = 1100, height = 420 } = options;
  const { script, style } = await bundle();
  const page = await browser.newPage({ viewport: { width, height } });
  const sent: FromView[] = [];
  const complaints: string[] = [];
  const copied: string[] = [];
  let state: ResultState = { kind: 'empty' };
  let tables: TableRows[] = [];
  let id = 0;

  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const post = (message: ToView) =>
    page.evaluate((data) => window.postMessage(data, '*'), message as never);
  const receive = async (message: FromView): Promise<void> => {
    sent.push(message);
    if (message.type === 'ready')
      return post({ type: 'state', state: viewState(state, id, tables) });
    if (!('id' in message) || message.id !== id) return;
    const rows = tables[message.table] as TableRows;
    const place = { id, table: message.table };
    if (message.type === 'window') {
      const { from, to } = message;
      await post({ type: 'rows', ...place, from, rows: rows.window(from, to) });
    } else if (message.type === 'sort') {
      rows.sort(message.order);
      await post({ type: 'sorted', ...place, order: rows.order });
    } else if (message.type === 'copy') copied.push(rows.copyText(message.range));
  };

  await page.exposeFunction('toHost', receive);
  await page.addInitScript(bridge);
  const html = resultsPage({
    scriptUri: `${origin}/results.js`,
    styleUri: `${origin}/results.css`,
    cspSource: origin,
    nonce,
  })
    .replace('<body ', `<body class="vscode-${theme}" `)
    .replace('</head>', `<style nonce="${nonce}">:root{${themes[theme]}}</style></head>`);
  const files: Record<string, { contentType: string; body: string }> = {
    '/': { contentType: 'text/html', body: html },
    '/results.js': { contentType: 'text/javascript', body: script },
    '/results.css': { contentType: 'text/css', body: style },
  };
  await page.route('**/*', (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file === undefined ? route.abort() : route.fulfill(file);
  });
  await page.goto(`${origin}/`);
  await page.waitForSelector('.message, .grid');
  return {
    page,
    sent,
    complaints,
    copied,
    async show(next) {
      state = next;
      id++;
      tables = next.kind === 'result' ? next.result.tables.map((t) => new TableRows(t)) : [];
      await post({ type: 'state', state: viewState(state, id, tables) });
    },
  };
}
