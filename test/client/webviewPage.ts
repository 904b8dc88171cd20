/** A page of the extension in a real browser without VS Code around it: its policy, script, styles, and its host. */
import type { Page } from 'playwright-core';
import type { FromPageMessage } from '../../client/src/webview/contract.ts';
import type { Pipe } from '../../client/src/webview/hostChannel.ts';
import { pageHtml } from '../../client/src/webview/html.ts';
import type { PageBundle } from '../../scripts/host/bundles.ts';
import { type Theme, themes } from './results/themes.ts';

const origin = 'http://view.localhost';
const nonce = 'bm9uY2U';

/** The one function that VS Code gives a webview. The state of a page outlives it. */
const bridge = `window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(message),
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
});`;

export interface WebviewOptions extends PageBundle {
  readonly title: string;
  readonly theme: Theme;
  /** Scripts that the page loads itself, by their file names. */
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Webview {
  /** For the host to attach. */
  readonly pipe: Pipe;
  /** Everything the page has sent, in order. */
  readonly sent: FromPageMessage[];
  /** What the browser refused or complained of. */
  readonly complaints: string[];
  load(): Promise<void>;
}

/** Makes a browser's page the webview of a host, which attaches to its pipe before the page is loaded. */
export function asWebview(page: Page, options: WebviewOptions): Webview {
  const sent: FromPageMessage[] = [];
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const listeners = new Set<(message: unknown) => void>();
  const pipe: Pipe = {
    // As in VS Code, what cannot be written as JSON does not reach the page.
    post: (message) => {
      const text = JSON.stringify(message);
      page.evaluate((given) => window.postMessage(JSON.parse(given), '*'), text).catch(() => {});
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const load = async () => {
    await page.exposeFunction('toHost', (message: FromPageMessage) => {
      sent.push(message);
      for (const listener of listeners) listener(message);
    });
    await page.addInitScript(bridge);
    const files = filesOf(options);
    await page.route('**/*', (route) => {
      const file = files[new URL(route.request().url()).pathname];
      return file === undefined ? route.abort() : route.fulfill(file);
    });
    await page.goto(`${origin}/`);
  };
  return { pipe, sent, complaints, load };
}

interface ServedFile {
  readonly contentType: string;
  readonly body: string;
}

function filesOf(options: WebviewOptions): Record<string, ServedFile> {
  const { title, theme, script, style, scripts = {} } = options;
  const html = pageHtml({
    title,
    scriptUri: `${origin}/page.js`,
    styleUri: `${origin}/page.css`,
    cspSource: origin,
    nonce,
  })
    .replace('<body ', `<body class="vscode-${theme}" `)
    .replace(
      '</head>',
      `<style id="theme" nonce="${nonce}">:root{${themes[theme]}}</style></head>`,
    );
  const javascript = (body: string) => ({ contentType: 'text/javascript', body });
  return {
    '/': { contentType: 'text/html', body: html },
    '/page.js': javascript(script),
    '/page.css': { contentType: 'text/css', body: style },
    ...Object.fromEntries(
      Object.entries(scripts).map(([name, body]) => [`/${name}`, javascript(body)]),
    ),
  };
}
