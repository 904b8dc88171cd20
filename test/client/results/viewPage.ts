/**
 * The results page in a real browser without VS Code around it: the real page, policy, script and styles, answered by
 * the real host over the real store with its worker. Used for tests of behavior and for screenshots in every theme.
 */
import type { Browser, Page } from 'playwright-core';
import type { AnswerId } from '../../../client/src/answers/protocol.ts';
import { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import {
  type FailedTabState,
  type ResultTabState,
  ResultTabs,
  type TabAction,
  type TabId,
} from '../../../client/src/answers/tabs.ts';
import type { ChartEffects } from '../../../client/src/charts/host/chartEffects.ts';
import type { FilterCondition } from '../../../client/src/query/filterCondition.ts';
import { ParameterForms } from '../../../client/src/query/parameterForms.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import type { CellDocument } from '../../../client/src/results/cellDocument.ts';
import {
  type ExportChoice,
  exportForm,
  rememberExport,
} from '../../../client/src/results/exportForm.ts';
import { AnswersHost } from '../../../client/src/results/host/answersHost.ts';
import type { Effects, FollowEffects } from '../../../client/src/results/host/parts.ts';
import { resultOf } from '../../../client/src/results/resultOf.ts';
import type { FromPageMessage } from '../../../client/src/webview/pageContract.ts';
import { bundlePage, storeWorker, workerAddress } from '../../../scripts/host/bundles.ts';
import type { AnswerViewState } from '../../../table/src/viewState.ts';
import { whenClosed } from '../lentPages.ts';
import { openWebview } from '../webviewPage.ts';
import { bodyOf, type Sample } from './samples.ts';
import type { Theme } from './themes.ts';

export type Shown =
  | {
      readonly kind: 'result';
      readonly result: Sample;
      readonly hint?: ResultTabState['hint'];
      readonly query?: string;
      /** Whether the query asks for a chart. */
      readonly chartFirst?: boolean;
    }
  | { readonly kind: 'running'; readonly title: string; readonly startedAt: number }
  | ({ readonly title: string } & FailedTabState)
  | { readonly kind: 'cancelled'; readonly title: string };

export interface ViewPage {
  readonly page: Page;
  /** Everything the page has sent, in order. */
  readonly sent: FromPageMessage[];
  /** Errors and warnings of the browser, and messages that the host rejected. */
  readonly complaints: string[];
  /** Text that the page has copied to the clipboard. */
  readonly copied: string[];
  readonly opened: CellDocument[];
  readonly links: string[];
  readonly actions: TabAction[];
  readonly cancelled: TabId[];
  readonly conditions: FilterCondition[];
  /** The requested exports, each with its tab. */
  readonly exported: (ExportChoice & { readonly tab: TabId })[];
  readonly parameterForms: ParameterForms;
  readonly host: AnswersHost;
  readonly tabs: ResultTabs;
  readonly store: ResultsStore;
  /** Runs a query with the title in its tab until the tab has the state. */
  show(state: Shown): Promise<void>;
  /** Waits until the condition holds; throws after ten seconds. */
  until(reached: () => boolean | Promise<boolean>): Promise<void>;
  /** Returns the contents of the sent requests and events with this name. */
  contents(name: string): Record<string, unknown>[];
  /** The arrangements of answers that the page has reported, in order. */
  views(): { readonly answer: AnswerId; readonly view: AnswerViewState }[];
}

export interface ViewOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly effects?: Partial<Effects>;
  /** Whether summaries over time are shown as charts first. */
  readonly chartsFirst?: boolean;
  readonly charts?: ChartEffects;
  /** Returns the effects that follow queries in the tabs and the store of the page. */
  readonly follow?: (parts: {
    readonly tabs: ResultTabs;
    readonly store: ResultsStore;
  }) => FollowEffects;
  /** Whether the page is minified, as in the packaged extension. */
  readonly minify?: boolean;
  /** The initial display of times, and the time zone of the browser. */
  readonly timeZone?: 'utc' | 'local';
  readonly zone?: string;
  readonly reducedMotion?: boolean;
}

export async function openView(browser: Browser, options: ViewOptions = {}): Promise<ViewPage> {
  const { theme = 'dark', width = 1100, height = 420, minify = false } = options;
  const [bundle, charts, worker] = await Promise.all([
    bundlePage('client/src/results/view/main.ts', minify),
    bundlePage('client/src/charts/view/main.ts', minify),
    workerAddress(storeWorker),
  ]);
  const { page, pipe, sent, complaints, load } = await openWebview(browser, {
    ...bundle,
    width,
    height,
    ...(options.zone !== undefined && { zone: options.zone }),
    ...(options.reducedMotion && { reducedMotion: true }),
    title: 'APL Results',
    theme,
    scripts: { 'charts.js': charts.script },
  });
  const copied: string[] = [];
  const opened: CellDocument[] = [];
  const links: string[] = [];
  const actions: TabAction[] = [];
  const cancelled: TabId[] = [];
  const conditions: FilterCondition[] = [];
  const store = new ResultsStore({
    worker,
    maxBytes: 1e9,
  });
  const tabs = new ResultTabs();
  const exported: (ExportChoice & { tab: TabId })[] = [];
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => structuredClone(kept.get(key)) as never,
    update: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
  };
  const parameterForms = new ParameterForms();
  let timeZone = options.timeZone ?? 'utc';
  const host: AnswersHost = new AnswersHost({
    store,
    tabs,
    arrangements: new Arrangements(memory),
    effects: {
      copy: async (text) => void copied.push(text),
      guardsFormulas: () => true,
      openDocument: async (document) => void opened.push(document),
      openLink: (address) => links.push(address),
      runAction: (action) => actions.push(action),
      addFilter: async (_, added) => void conditions.push(...added),
      pathText: async (name, path) => [name, ...path].join(' / '),
      setTimeZone: (next) => {
        timeZone = next;
        host.refresh();
      },
      inform: () => undefined,
      warn: (message) => complaints.push(message),
      ...options.effects,
    },
    runAgain: ({ id }) => ({ label: 'Run Again', command: 'aplomb.runLastQuery', arguments: [id] }),
    chartsFirst: () => options.chartsFirst ?? false,
    timeZone: () => timeZone,
    ...(options.charts && { charts: options.charts }),
    strip: {
      tabs,
      cancel: ({ id }) => cancelled.push(id),
      focused: () => undefined,
      parameterForms,
      exports: {
        form: (tab) => {
          const found = resultOf(tabs.tab(tab), store);
          return found && exportForm(found, memory);
        },
        write: async (tab, choice) => {
          exported.push({ tab, ...choice });
          await rememberExport(memory, choice);
        },
      },
      ...(options.follow && { follow: options.follow({ tabs, store }) }),
    },
    onProblem: (problem) => complaints.push(problem),
  });
  whenClosed(page, () => {
    host.dispose();
    void store.dispose();
  });
  host.attach(pipe);
  await load();
  await page.waitForSelector('.message, .grid, .chart-view');

  const show = async (state: Shown): Promise<void> => {
    const title = state.kind === 'result' ? state.result.title : state.title;
    const text = (state.kind === 'result' && state.query) || title;
    // A result with its own query comes from another document.
    const place = {
      uri: text === title ? 'file:///q.apl' : `file:///${encodeURIComponent(text)}.apl`,
      range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
    };
    const { run } = tabs.start(
      {
        text,
        title,
        place,
        ...(state.kind === 'result' && state.chartFirst && { chartFirst: true }),
      },
      {
        startedAt: state.kind === 'running' ? state.startedAt : Date.now(),
        deployment: 'Local',
        rangeLabel: 'last 1 hour',
      },
    );
    if (state.kind === 'running') return;
    if (state.kind === 'cancelled') return void tabs.cancelled(run);
    if (state.kind === 'failed') return void tabs.settle(run, state);
    const arriving = store.begin(
      {
        title,
        query: text,
        document: 'file:///q.apl',
        deployment: 'Local',
        startTime: 'now-1h',
        endTime: 'now',
        rangeLabel: 'last 1 hour',
        askedAt: Date.now(),
        statesColumnOrder: false,
      },
      false,
    );
    await arriving.write(Buffer.from(bodyOf(state.result)));
    const { id } = await arriving.finish({ roundTripMilliseconds: 20 });
    tabs.settle(run, { kind: 'result', answer: id, ...(state.hint && { hint: state.hint }) });
  };
  const contents = (name: string) =>
    sent.flatMap((message) =>
      'name' in message && message.name === name
        ? [message.content as Record<string, unknown>]
        : [],
    );
  return {
    page,
    sent,
    complaints,
    copied,
    opened,
    links,
    actions,
    cancelled,
    conditions,
    exported,
    parameterForms,
    host,
    tabs,
    store,
    show,
    until: async (reached) => {
      for (const end = Date.now() + 10_000; !(await reached()); ) {
        if (Date.now() > end) throw new Error(`It did not come to ${reached}`);
        await new Promise((done) => setTimeout(done, 10));
      }
    },
    contents,
    views: () => contents('arranged') as unknown as ReturnType<ViewPage['views']>,
  };
}
