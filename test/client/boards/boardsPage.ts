/**
 * The page of a dashboard or a monitor in a real browser without VS Code around it: the real page, policy, script and
 * styles, answered by the real session over the real store with its worker. The service's answers are the test's.
 */
import type { Browser, Page } from 'playwright-core';
import { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import type { TabAction } from '../../../client/src/answers/tabs.ts';
import type { KeptBoard } from '../../../client/src/boards/boardsContract.ts';
import { againCommand } from '../../../client/src/boards/host/boardPage.ts';
import type { CardQuestion } from '../../../client/src/boards/host/cards.ts';
import { DashboardSession } from '../../../client/src/boards/host/dashboardSession.ts';
import { MonitorSession } from '../../../client/src/boards/host/monitorSession.ts';
import type { Opened, PageParts } from '../../../client/src/boards/host/pageParts.ts';
import { adviceFor } from '../../../client/src/host/advice.ts';
import { StoredAnswers } from '../../../client/src/query/storedAnswers.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import type { Failure, Outcome } from '../../../client/src/service/failure.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../../../client/src/time/timeRange.ts';
import type { FromPageMessage } from '../../../client/src/webview/pageContract.ts';
import { parseQuery } from '../../../language/src/index.ts';
import type { Members } from '../../../resources/src/value.ts';
import { bundlePage, storeWorker, workerAddress } from '../../../scripts/host/bundles.ts';
import { queryFacts } from '../../../server/src/features/queryFacts.ts';
import { whenClosed } from '../lentPages.ts';
import { bodyOf, type Sample } from '../results/samples.ts';
import type { Theme } from '../results/themes.ts';
import { openWebview } from '../webviewPage.ts';

/** The answer to a query: a sample, or a failure. */
export type Answered = Sample | Failure;

export interface BoardPageOptions {
  readonly record: () => Outcome<Members>;
  readonly answer: (question: CardQuestion) => Answered | Promise<Answered>;
  readonly kind?: Opened['kind'];
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly atOnce?: number;
  readonly now?: () => number;
  readonly kept?: KeptBoard;
  readonly parts?: Partial<PageParts>;
  readonly change?: (change: Members) => Promise<Outcome<Members> | undefined>;
}

export interface OpenedPage<S> {
  readonly page: Page;
  readonly session: S;
  readonly store: ResultsStore;
  readonly complaints: string[];
  /** The requested queries, in order. */
  readonly asked: CardQuestion[];
  /** Returns the maximum number of concurrent queries. */
  readonly most: () => number;
  readonly cancelled: string[];
  readonly opened: CardQuestion[];
  readonly actions: TabAction[];
  readonly links: string[];
  readonly warnings: string[];
  readonly kept: KeptBoard[];
  /** The messages that the page has sent, in order. */
  readonly sent: readonly FromPageMessage[];
  until(what: string, reached: () => boolean | Promise<boolean>): Promise<void>;
}

export function openDashboard(browser: Browser, options: BoardPageOptions) {
  return open(browser, options, (parts) => new DashboardSession(parts, options.kept));
}

export function openMonitor(browser: Browser, options: BoardPageOptions) {
  return open(
    browser,
    { kind: 'monitor', ...options },
    (parts) =>
      new MonitorSession({
        ...parts,
        change: options.change ?? (async () => undefined),
        askUntil: async () => '2030-01-01T00:00:00Z',
        queryFacts: async (apl) => queryFacts(parseQuery(apl)),
      }),
  );
}

async function open<S extends DashboardSession | MonitorSession>(
  browser: Browser,
  options: BoardPageOptions,
  makeSession: (parts: PageParts) => S,
): Promise<OpenedPage<S>> {
  const { theme = 'dark', width = 1200, height = 800, kind = 'dashboard' } = options;
  const [bundle, charts, worker] = await Promise.all([
    bundlePage('client/src/boards/view/main.ts'),
    bundlePage('client/src/charts/view/main.ts'),
    workerAddress(storeWorker),
  ]);
  const { page, pipe, sent, complaints, load } = await openWebview(browser, {
    width,
    height,
    ...bundle,
    title: 'Dashboard',
    theme,
    scripts: { 'charts.js': charts.script },
  });
  const asked: CardQuestion[] = [];
  const cancelled: string[] = [];
  const opened: CardQuestion[] = [];
  const actions: TabAction[] = [];
  const links: string[] = [];
  const warnings: string[] = [];
  const kept: KeptBoard[] = [];
  let running = 0;
  let most = 0;
  const store = new ResultsStore({
    worker,
    maxBytes: 1e9,
  });
  const now = options.now ?? Date.now;
  const remembered = new Map<string, unknown>();
  const answered = async (question: CardQuestion, signal: AbortSignal): Promise<Answered> => {
    asked.push(question);
    running += 1;
    most = Math.max(most, running);
    signal.addEventListener('abort', () => cancelled.push(question.title));
    try {
      return await options.answer(question);
    } finally {
      running -= 1;
    }
  };
  const about = (question: CardQuestion) => ({
    title: question.title,
    query: question.apl,
    deployment: 'Local',
    ...rangeParameters(question.range, now()),
    rangeLabel: rangeLabel(question.range),
    askedAt: now(),
    statesColumnOrder: true,
  });
  const parts: PageParts = {
    opened: { kind, deployment: 'Local', id: 'web', name: 'Web' },
    store,
    answers: new StoredAnswers(store),
    arrangements: new Arrangements({
      get: (key) => remembered.get(key),
      update: (key, value) => remembered.set(key, value),
    }),
    effects: {
      copy: async () => undefined,
      guardsFormulas: () => true,
      openDocument: async () => undefined,
      openLink: (address) => links.push(address),
      runAction: (action) => actions.push(action),
      pathText: async (name) => name,
      setTimeZone: () => undefined,
      inform: () => undefined,
      warn: (message) => warnings.push(message),
    },
    charts: { annotate: async () => undefined, savePicture: async () => undefined },
    atOnce: () => options.atOnce ?? 4,
    timeZone: () => 'utc',
    now,
    load: async () => options.record(),
    monitors: async () => ({
      ok: true,
      value: [
        { id: 'm1', name: 'Errors', note: 'Threshold · every 5 min', isEnabled: true },
        {
          id: 'm2',
          name: 'Latency',
          note: 'disabled · AnomalyDetection · every 1 min',
          isEnabled: false,
        },
      ],
    }),
    ask: async (question, signal) => {
      const sample = await answered(question, signal);
      if ('kind' in sample) return { ok: false, failure: sample };
      try {
        const arriving = store.begin(about(question), false);
        await arriving.write(Buffer.from(bodyOf(sample)));
        const { id, head } = await arriving.finish({ roundTripMilliseconds: 20 });
        return { ok: true, value: { id, head } };
      } catch (error) {
        // The page was closed in the meantime.
        return { ok: false, failure: { kind: 'unreadable', host: '', message: String(error) } };
      }
    },
    value: async (question, signal) => {
      const sample = await answered(question, signal);
      if ('kind' in sample) return { ok: false, failure: sample };
      return { ok: true, value: JSON.parse(bodyOf(sample)) };
    },
    annotations: async () => ({ ok: true, value: [] }),
    earlier: async () => undefined,
    limits: () => ({ timeoutMs: 10_000, maxBytes: 1e9 }),
    advice: (failure, needs) =>
      adviceFor(failure, { local: true, again: { command: againCommand }, needs }),
    chooseRange: async (): Promise<TimeRange | undefined> => undefined,
    openQuery: async (question) => void opened.push(question),
    openDocument: async () => undefined,
    openMonitor: async () => undefined,
    onKept: (board) => kept.push(board),
    onProblem: (problem) => complaints.push(problem),
    ...options.parts,
  };
  const session = makeSession(parts);
  whenClosed(page, () => {
    session.dispose();
    void store.dispose();
  });
  session.page.attach(pipe);
  await load();
  await session.page.load();
  await page.waitForSelector('.board-bar, .missing');
  return {
    page,
    session,
    store,
    complaints,
    asked,
    most: () => most,
    cancelled,
    opened,
    actions,
    links,
    warnings,
    kept,
    sent,
    until: async (what, reached) => {
      for (const end = Date.now() + 15_000; !(await reached()); ) {
        if (Date.now() > end) throw new Error(`It did not come to ${what}`);
        await new Promise((done) => setTimeout(done, 10));
      }
    },
  };
}

/** Waits until all charts are answered, and those in view are drawn. */
export async function settled({
  page,
  session,
  until,
}: OpenedPage<DashboardSession | MonitorSession>) {
  await until('all answers', () =>
    session.page.cards.states.every(({ phase }) => phase === 'ready' || phase === 'failed'),
  );
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.card-answer')].every(
      (box) =>
        box.querySelector('.plot[aria-label], .grid, .log-line, .message, .statistics') !== null,
    ),
  );
}
