/** Opens a page of the extension in a real browser without VS Code: its policy, script, styles and host. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { Pipe } from '../../client/src/webview/hostChannel.ts';
import { pageHtml } from '../../client/src/webview/html.ts';
import type { FromPageMessage } from '../../client/src/webview/pageContract.ts';
import type { PageBundle } from '../../scripts/host/bundles.ts';
import { lendPage, type PageOptions, receiveFrom, whenClosed } from './lentPages.ts';
import { type Theme, themes } from './results/themes.ts';

const nonce = 'bm9uY2U';

export interface WebviewOptions extends PageBundle, PageOptions {
  readonly title: string;
  readonly theme: Theme;
  /** Scripts that the page loads itself, by their file names. */
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Webview {
  /** An empty page until it is loaded. */
  readonly page: Page;
  /** The pipe to which the host attaches. */
  readonly pipe: Pipe;
  /** Everything the page has sent, in order. */
  readonly sent: FromPageMessage[];
  /** Errors and warnings of the browser. */
  readonly complaints: string[];
  load(): Promise<void>;
}

/** Opens a page of the browser as the webview of a host, which attaches to its pipe before the page is loaded. */
export async function openWebview(browser: Browser, options: WebviewOptions): Promise<Webview> {
  const origin = await served();
  const page = await lendPage(browser, options, `${origin}/`);
  const sent: FromPageMessage[] = [];
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const listeners = new Set<(message: unknown) => void>();
  let isClosed = false;
  whenClosed(page, () => {
    isClosed = true;
  });
  const pipe: Pipe = {
    // As in VS Code, what cannot be written as JSON does not reach the page.
    post: (message) => {
      const text = JSON.stringify(message);
      if (isClosed) return;
      page.evaluate((given) => window.postMessage(JSON.parse(given), '*'), text).catch(() => {});
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const load = async () => {
    receiveFrom(page, (message) => {
      sent.push(message as FromPageMessage);
      for (const listener of listeners) listener(message);
    });
    await page.goto(`${origin}${addFiles(origin, options)}`);
  };
  return { page, pipe, sent, complaints, load };
}

interface ServedFile {
  readonly contentType: string;
  readonly body: string;
}

/** The files of pages by path. The file at a path never changes, so browsers cache it. */
const files = new Map<string, ServedFile>([['/', { contentType: 'text/html', body: '' }]]);
let serving: Promise<string> | undefined;

/** Serves the files of pages, and returns their origin. */
function served(): Promise<string> {
  serving ??= (async () => {
    const server = createServer(({ url = '' }, response) => {
      const file = files.get(url);
      response.writeHead(file === undefined ? 404 : 200, {
        'content-type': file?.contentType ?? 'text/plain',
        'cache-control': 'max-age=31536000, immutable',
      });
      response.end(file?.body);
    });
    server.on('connection', (socket) => socket.unref());
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    return `http://view.localhost:${(server.address() as AddressInfo).port}`;
  })();
  return serving;
}

/** Adds the files of a page, and returns the path of its document. */
function addFiles(origin: string, options: WebviewOptions): string {
  const { title, theme, script, style, scripts = {} } = options;
  const styles = addFile('page.css', 'text/css', style);
  const javascript = { 'page.js': script, ...scripts };
  // All scripts of a page are in the same folder.
  const folder = folderOf(Object.values(javascript).join());
  for (const [name, body] of Object.entries(javascript))
    addFile(name, 'text/javascript', body, folder);
  const html = pageHtml({
    title,
    scriptUri: `${origin}${folder}page.js`,
    styleUri: `${origin}${styles}`,
    cspSource: origin,
    nonce,
  })
    .replace('<body ', `<body class="vscode-${theme}" `)
    .replace(
      '</head>',
      `<style id="theme" nonce="${nonce}">:root{${themes[theme]}}</style></head>`,
    );
  return addFile('', 'text/html', html);
}

function addFile(name: string, contentType: string, body: string, folder = folderOf(body)): string {
  files.set(`${folder}${name}`, { contentType, body });
  return `${folder}${name}`;
}

function folderOf(body: string): string {
  return `/${createHash('sha256').update(body).digest('hex').slice(0, 16)}/`;
}
