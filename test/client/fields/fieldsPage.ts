/**
 * The form of fields in a real browser without VS Code around it: the real page, policy, script and styles,
 * answered by the real host over a real local deployment.
 */
import { join } from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Service } from '../../../client/src/api/service.ts';
import type { FieldChanges } from '../../../client/src/fields/contract.ts';
import { FieldsHost } from '../../../client/src/fields/fieldsHost.ts';
import type { FromPageMessage } from '../../../client/src/webview/contract.ts';
import { pageHtml } from '../../../client/src/webview/html.ts';
import { root } from '../../house/sources.ts';
import { type Theme, themes } from '../results/themes.ts';

const origin = 'http://view.localhost';
const nonce = 'bm9uY2U';
const bridge = `window.acquireVsCodeApi = () => ({ postMessage: (message) => window.toHost(message) });`;

let bundled: Promise<{ readonly script: string; readonly style: string }> | undefined;

async function bundle() {
  const built = await esbuild.build({
    entryPoints: [join(root, 'client/src/fields/view/main.ts')],
    bundle: true,
    write: false,
    outdir: 'out',
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
  });
  const text = (ending: string) =>
    built.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

export interface FieldsPageOptions {
  readonly service: () => Service;
  readonly dataset: string;
  readonly draft?: FieldChanges;
  readonly focus?: string;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

export interface FieldsPage {
  readonly page: Page;
  readonly host: FieldsHost;
  /** What the browser refused or complained of, and what the host refused. */
  readonly complaints: string[];
  /** How often changes were saved. */
  readonly saves: () => number;
}

export async function openFields(
  browser: Browser,
  options: FieldsPageOptions,
): Promise<FieldsPage> {
  bundled ??= bundle();
  const { script, style } = await bundled;
  const { service, dataset, draft, focus, theme = 'dark', width = 1000, height = 560 } = options;
  const page = await browser.newPage({ viewport: { width, height } });
  const complaints: string[] = [];
  let saves = 0;
  const host = new FieldsHost(
    {
      dataset,
      deployment: 'Local',
      local: true,
      service: async () => ({ ok: true, value: service() }),
      onSaved: () => {
        saves += 1;
      },
      onDraft: () => undefined,
      onProblem: (problem) => complaints.push(problem),
    },
    draft,
  );
  if (focus !== undefined) host.focus(focus);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const listeners = new Set<(message: unknown) => void>();
  const attached = host.attach({
    post: (message) => {
      const text = JSON.stringify(message);
      page.evaluate((given) => window.postMessage(JSON.parse(given), '*'), text).catch(() => {});
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  });
  page.on('close', () => attached.dispose());
  await page.exposeFunction('toHost', (message: FromPageMessage) => {
    for (const listener of listeners) listener(message);
  });
  await page.addInitScript(bridge);
  const html = pageHtml({
    title: `Fields of ${dataset}`,
    scriptUri: `${origin}/fields.js`,
    styleUri: `${origin}/fields.css`,
    cspSource: origin,
    nonce,
  })
    .replace('<body ', `<body class="vscode-${theme}" `)
    .replace('</head>', `<style nonce="${nonce}">:root{${themes[theme]}}</style></head>`);
  const files: Record<string, { contentType: string; body: string }> = {
    '/': { contentType: 'text/html', body: html },
    '/fields.js': { contentType: 'text/javascript', body: script },
    '/fields.css': { contentType: 'text/css', body: style },
  };
  await page.route('**/*', (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file === undefined ? route.abort() : route.fulfill(file);
  });
  await page.goto(`${origin}/`);
  await page.waitForSelector('.form, .message');
  return { page, host, complaints, saves: () => saves };
}
