/**
 * The ingest page in a real browser without VS Code around it: the real page, policy, script and styles,
 * answered by the real session.
 */
import { join } from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type {
  FinishedReport,
  IngestEngine,
  IngestInput,
  Run,
  RunJob,
} from '../../../client/src/ingest/host/engine.ts';
import {
  type ArrivedEvents,
  IngestSession,
  type SessionEffects,
  type SessionParts,
} from '../../../client/src/ingest/host/session.ts';
import { fallbackTimeRange, type TimeRange } from '../../../client/src/timeRange.ts';
import type { FromPageMessage } from '../../../client/src/webview/contract.ts';
import { pageHtml } from '../../../client/src/webview/html.ts';
import type { RunProgress } from '../../../ingest/src/contract.ts';
import { root } from '../../house/sources.ts';
import { type Theme, themes } from '../results/themes.ts';

const origin = 'http://view.localhost';
const nonce = 'bm9uY2U';

/** The one function that VS Code gives a webview. */
const bridge = `window.acquireVsCodeApi = () => ({ postMessage: (message) => window.toHost(message), setState: () => {} });`;

let bundled: Promise<{ readonly script: string; readonly style: string }> | undefined;

async function bundle() {
  const built = await esbuild.build({
    entryPoints: [join(root, 'client/src/ingest/view/main.ts')],
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

/** A run whose end the test decides. */
export class HeldRun implements Run {
  readonly job: RunJob;
  readonly calls: string[] = [];
  readonly report: Promise<FinishedReport>;
  end: (report: FinishedReport) => void = () => undefined;

  constructor(job: RunJob) {
    this.job = job;
    this.report = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  pause(): void {
    this.calls.push('pause');
  }

  resume(): void {
    this.calls.push('resume');
  }

  cancel(): void {
    this.calls.push('cancel');
  }

  progress(progress: Partial<RunProgress>): void {
    this.job.onProgress({
      state: 'sending',
      bytes: 0,
      totalBytes: this.job.source.size,
      events: 0,
      eventsPerSecond: 0,
      ...progress,
    });
  }
}

export interface IngestPageOptions {
  readonly inputs: readonly IngestInput[];
  readonly preview: IngestEngine['preview'];
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly parts?: Partial<SessionParts>;
  readonly effects?: Partial<SessionEffects>;
}

export interface IngestPage {
  readonly page: Page;
  readonly session: IngestSession;
  readonly complaints: string[];
  readonly runs: HeldRun[];
  readonly checks: HeldRun[];
  readonly ranges: TimeRange[];
  readonly opened: string[];
  readonly queried: ArrivedEvents[];
  /** The contents of the events of a name that the page has sent. */
  contents(name: string): Record<string, unknown>[];
  until(what: string, reached: () => boolean): Promise<void>;
}

export async function openIngest(
  browser: Browser,
  options: IngestPageOptions,
): Promise<IngestPage> {
  const { theme = 'dark', width = 1100, height = 760 } = options;
  bundled ??= bundle();
  const { script, style } = await bundled;
  const page = await browser.newPage({ viewport: { width, height } });
  const sent: FromPageMessage[] = [];
  const complaints: string[] = [];
  const runs: HeldRun[] = [];
  const checks: HeldRun[] = [];
  const ranges: TimeRange[] = [];
  const opened: string[] = [];
  const queried: ArrivedEvents[] = [];
  const held = (list: HeldRun[]) => (job: RunJob) => {
    const run = new HeldRun(job);
    list.push(run);
    return run;
  };
  const session: IngestSession = new IngestSession({
    inputs: options.inputs,
    engine: { preview: options.preview, check: held(checks) },
    deployment: 'Local',
    production: false,
    dataset: 'weather',
    onProblem: (problem) => complaints.push(problem),
    ...options.parts,
    effects: {
      datasets: async () => ['http-logs', 'traces'],
      targetSchema: async () => ({ fields: [], mapFields: [] }),
      connect: async () => ({ run: held(runs) }),
      arrivedSpan: async () => undefined,
      currentRange: () => ({
        range: ranges.at(-1) ?? fallbackTimeRange,
        zone: 'utc',
        now: Date.UTC(2026, 10, 21, 10),
      }),
      setTimeRange: async (range) => {
        ranges.push(range);
        session.refresh();
      },
      queryArrived: async (events) => void queried.push(events),
      queryDoubt: async ({ file }) => void opened.push(`doubt of ${file}`),
      openLine: async ({ source }, line) => void opened.push(`${source.name}:${line}`),
      openFailed: async (path) => void opened.push(path),
      runAction: ({ command }) => void opened.push(command),
      actionsFor: () => [],
      ended: async () => undefined,
      close: () => void opened.push('closed'),
      ...options.effects,
    },
  });
  page.on('close', () => session.dispose());
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const listeners = new Set<(message: unknown) => void>();
  session.attach({
    // As in VS Code, what cannot be written as JSON does not reach the page.
    post: (message) => {
      const text = JSON.stringify(message);
      page.evaluate((given) => window.postMessage(JSON.parse(given), '*'), text).catch(() => {});
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  });
  await page.exposeFunction('toHost', (message: FromPageMessage) => {
    sent.push(message);
    for (const listener of listeners) listener(message);
  });
  await page.addInitScript(bridge);
  const html = pageHtml({
    title: 'Ingest',
    scriptUri: `${origin}/ingest.js`,
    styleUri: `${origin}/ingest.css`,
    cspSource: origin,
    nonce,
  })
    .replace('<body ', `<body class="vscode-${theme}" `)
    .replace('</head>', `<style nonce="${nonce}">:root{${themes[theme]}}</style></head>`);
  const files: Record<string, { contentType: string; body: string }> = {
    '/': { contentType: 'text/html', body: html },
    '/ingest.js': { contentType: 'text/javascript', body: script },
    '/ingest.css': { contentType: 'text/css', body: style },
  };
  await page.route('**/*', (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file === undefined ? route.abort() : route.fulfill(file);
  });
  await page.goto(`${origin}/`);
  void session.begin();
  await page.waitForSelector('.preview table, .message.error:not([hidden])');
  return {
    page,
    session,
    complaints,
    runs,
    checks,
    ranges,
    opened,
    queried,
    contents: (name) =>
      sent.flatMap((message) =>
        message.kind !== 'cancel' && message.name === name
          ? [message.content as Record<string, unknown>]
          : [],
      ),
    until: async (what, reached) => {
      for (const end = Date.now() + 10_000; !reached(); ) {
        if (Date.now() > end) throw new Error(`It did not come to ${what}`);
        await new Promise((done) => setTimeout(done, 10));
      }
    },
  };
}
