// The outputs of cells in VS Code: which tab belongs to which cell, and the messages of the pages that draw them.
// All outputs of a notebook share one page.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { chartsFirst, onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import type { Answers } from '../query/answers.ts';
import { followQueries } from '../query/followQueries.ts';
import { loadMore } from '../query/loadMore.ts';
import { topValuesOfColumn } from '../query/topValues.ts';
import { Arrangements } from '../results/arrangements.ts';
import type { CellDocuments } from '../results/cellDocuments.ts';
import type { Effects } from '../results/host/parts.ts';
import {
  answerIn,
  ResultTabs,
  type SettledTabState,
  type StartOptions,
  type TabId,
  type TabQuery,
} from '../results/tabs.ts';
import { viewEffects } from '../results/viewEffects.ts';
import { registerCommand } from '../ui/commands.ts';
import { RequestFailed } from '../webview/hostChannel.ts';
import { cellCharts } from './cellCharts.ts';
import { cellAt, runCell, runCellCommand } from './cells.ts';
import type { CellAnswer } from './keepRows.ts';
import { OutputHost } from './outputHost.ts';

/** The name of the renderer in the manifest. */
const rendererId = 'aplomb-result';

export interface OutputsParts extends Context {
  /** Holds the earlier answers that charts are compared with. They are not kept on disk. */
  readonly earlierAnswers: Answers;
}

export class NotebookOutputs implements vscode.Disposable {
  /** Outputs that outlive the extension host must not name a tab of the next one. */
  readonly #tabs = new ResultTabs(Number.POSITIVE_INFINITY, `cell-${randomUUID()}`);
  readonly #cellTabs = new Map<vscode.NotebookCell, TabId[]>();
  readonly #charts: ReturnType<typeof cellCharts>;
  readonly #host: OutputHost;
  readonly #pages = new Map<vscode.NotebookEditor, OutputPage>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: OutputsParts) {
    const { extension, store, results, log } = parts;
    const charts = cellCharts(parts, this.#tabs);
    this.#charts = charts;
    this.#host = new OutputHost({
      answers: store,
      tabs: this.#tabs,
      arrangements: new Arrangements(extension.workspaceState),
      // VS Code asks one of several providers of a scheme, so there is one for the whole window.
      effects: effects(parts, charts, results.documents),
      charts,
      runAgain: ({ query }) => ({
        label: 'Run Again',
        ...runCellCommand(query.place?.uri ?? ''),
      }),
      chartsFirst,
      isProduction: (name) => parts.deployments.isProduction(name),
      timeZone: resultsTimeZone,
      onProblem: (problem) => log.warn(problem),
    });
    const messaging = vscode.notebooks.createRendererMessaging(rendererId);
    this.#subscriptions = vscode.Disposable.from(
      this.#host,
      charts,
      followQueries(this.#tabs),
      onSettingChanged(['results.timeZone'], () => this.#host.refresh()),
      results.onDidActInOutput(({ tab, action, place }) => this.#host.act(tab, action, place)),
      registerCommand('aplomb.notebook.runCell', (uri: unknown) => {
        const cell = typeof uri === 'string' ? cellAt(uri) : undefined;
        return cell && runCell(cell);
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#leave(notebook)),
      messaging.onDidReceiveMessage(({ editor, message }) =>
        this.#page(editor, messaging).receive(message),
      ),
    );
  }

  /** The answers of a cell in the order of its queries, with the deployments that gave them. */
  answersOf(cell: vscode.NotebookCell): readonly CellAnswer[] {
    const tabs = this.#cellTabs.get(cell) ?? [];
    return tabs.flatMap((id) => {
      const tab = this.#tabs.tab(id);
      const answer = tab && answerIn(tab.state);
      return answer === undefined ? [] : [{ answer, deployment: tab?.query.deployment ?? '' }];
    });
  }

  has(cell: vscode.NotebookCell): boolean {
    return this.#cellTabs.has(cell);
  }

  /** Holds what a query of a cell came to, for its output, in the tab of the same query if the cell has run before. */
  add(cell: vscode.NotebookCell, query: TabQuery, state: SettledTabState): TabId {
    const { tab, run } = this.#tabs.start(query, startedJustNow());
    this.#tabs.settle(run, state);
    const others = (this.#cellTabs.get(cell) ?? []).filter((other) => other !== tab);
    this.#cellTabs.set(cell, [...others, tab]);
    return tab;
  }

  /** Forgets what earlier outputs of a cell show, apart from these tabs. */
  keepOnly(cell: vscode.NotebookCell, kept: readonly TabId[]): void {
    for (const tab of this.#cellTabs.get(cell) ?? [])
      if (!kept.includes(tab)) this.#tabs.close(tab);
    if (kept.length === 0) this.#cellTabs.delete(cell);
    else this.#cellTabs.set(cell, [...kept]);
  }

  forget(cells: readonly vscode.NotebookCell[]): void {
    for (const cell of cells) this.keepOnly(cell, []);
    this.#charts.forget(cells);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The page of an editor. Its channel is open until the notebook is closed. */
  #page(editor: vscode.NotebookEditor, messaging: vscode.NotebookRendererMessaging): OutputPage {
    const known = this.#pages.get(editor);
    if (known) return known;
    const listeners = new Set<(message: unknown) => void>();
    const attached = this.#host.attach({
      post: (message) => void messaging.postMessage(message, editor),
      onMessage: (listener) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    });
    const page: OutputPage = {
      receive: (message) => {
        for (const listener of listeners) listener(message);
      },
      dispose: () => attached.dispose(),
    };
    this.#pages.set(editor, page);
    return page;
  }

  /** The outputs of a closed notebook are no longer in view. */
  #leave(notebook: vscode.NotebookDocument): void {
    for (const [editor, page] of this.#pages) {
      if (editor.notebook !== notebook) continue;
      page.dispose();
      this.#pages.delete(editor);
    }
  }
}

/** VS Code itself shows that a cell is running, so that this is never seen. */
function startedJustNow(): StartOptions {
  return { startedAt: Date.now(), deployment: '', rangeLabel: '', activate: false };
}

interface OutputPage {
  receive(message: unknown): void;
  dispose(): void;
}

function effects(
  { deployments, language, log, runner, store, timeRange }: OutputsParts,
  charts: ReturnType<typeof cellCharts>,
  documents: CellDocuments,
): Effects {
  return {
    ...viewEffects(language, log, documents),
    cancel: () => undefined,
    addFilter: (tab, conditions) => charts.addFilter(tab, conditions),
    topValues: ({ query }, column) =>
      topValuesOfColumn({ language, runner, timeRange }, query, column),
    focused: () => undefined,
    loadMore: async (answer, signal) => {
      const more = await loadMore(deployments, store, answer, signal);
      if (!more.ok) throw new RequestFailed(more.failure.kind, more.failure.message);
    },
  };
}
