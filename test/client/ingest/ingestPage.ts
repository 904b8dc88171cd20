/**
 * The ingest page in a real browser without VS Code around it: the real page, policy, script and styles,
 * answered by the real session.
 */
import type { Browser, Page } from 'playwright-core';
import type { ArrivedEvents, SessionEffects } from '../../../client/src/ingest/host/effects.ts';
import type {
  FinishedReport,
  IngestEngine,
  IngestInput,
  Run,
  RunJob,
} from '../../../client/src/ingest/host/engine.ts';
import { IngestSession, type SessionParts } from '../../../client/src/ingest/host/session.ts';
import { fallbackTimeRange, type TimeRange } from '../../../client/src/time/timeRange.ts';
import type { RunProgress } from '../../../ingest/src/contract.ts';
import { bundlePage } from '../../../scripts/host/bundles.ts';
import { whenClosed } from '../lentPages.ts';
import type { Theme } from '../results/themes.ts';
import { openWebview } from '../webviewPage.ts';

/** A run that the test ends. */
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
  /** Returns the contents of the page's events with this name. */
  contents(name: string): Record<string, unknown>[];
  until(what: string, reached: () => boolean): Promise<void>;
}

export async function openIngest(
  browser: Browser,
  options: IngestPageOptions,
): Promise<IngestPage> {
  const { theme = 'dark', width = 1100, height = 760 } = options;
  const { page, pipe, sent, complaints, load } = await openWebview(browser, {
    width,
    height,
    ...(await bundlePage('client/src/ingest/view/main.ts')),
    title: 'Ingest',
    theme,
  });
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
      connect: async () => ({ run: held(runs), end: async () => undefined }),
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
  whenClosed(page, () => session.dispose());
  session.attach(pipe);
  await load();
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
        'name' in message && message.name === name
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
