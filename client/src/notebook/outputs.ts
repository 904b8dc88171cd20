// The outputs of cells in VS Code: which tab belongs to which cell, and the messages of the pages that draw them.
// All outputs of a notebook share one page.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { AnswerSlots, answerIn } from '../answers/slots.ts';
import type { SettledTabState, TabId, TabQuery } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { followQueries } from '../follow/followQueries.ts';
import { chartsFirst, onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import type { Answers } from '../query/storedAnswers.ts';
import { Arrangements } from '../results/arrangements.ts';
import { answerEffects } from '../results/host/answerEffects.ts';
import { AnswersHost } from '../results/host/answersHost.ts';
import { viewEffects } from '../results/viewEffects.ts';
import { registerCommand } from '../ui/commands.ts';
import { cellCharts } from './cellCharts.ts';
import { cellAt, runCell, runCellCommand } from './cells.ts';
import type { CellAnswer } from './keepRows.ts';

/** The name of the renderer in the manifest. */
const rendererId = 'aplomb-result';

export interface OutputsParts extends Context {
  /** Holds the earlier answers that charts are compared with. They are not kept on disk. */
  readonly earlierAnswers: Answers;
}

export class NotebookOutputs implements vscode.Disposable {
  /** Outputs that outlive the extension host must not name a tab of the next one. */
  readonly #tabs = new AnswerSlots(`cell-${randomUUID()}`);
  readonly #cellTabs = new Map<vscode.NotebookCell, TabId[]>();
  readonly #charts: ReturnType<typeof cellCharts>;
  readonly #host: AnswersHost;
  readonly #pages = new Map<vscode.NotebookEditor, OutputPage>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: OutputsParts) {
    const { extension, store, results, language, log } = parts;
    const charts = cellCharts(parts, this.#tabs);
    this.#charts = charts;
    this.#host = new AnswersHost({
      answers: store,
      tabs: this.#tabs,
      arrangements: new Arrangements(extension.workspaceState),
      // VS Code asks one of several providers of a scheme, so there is one for the whole window.
      effects: {
        ...viewEffects(language, log, results.documents),
        ...answerEffects(parts, charts),
      },
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
      results.onDidActInOutput(({ action, place }) => this.#host.act(action, place)),
      registerCommand('aplomb.notebook.runCell', (uri: unknown) => {
        const cell = typeof uri === 'string' ? cellAt(uri) : undefined;
        return cell && runCell(cell);
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#leave(notebook)),
      messaging.onDidReceiveMessage(({ editor, message }) =>
        this.#page(editor, messaging).messages.fire(message),
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
    const tab = this.#tabs.show(query, state);
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
    const messages = new vscode.EventEmitter<unknown>();
    const attached = this.#host.attach({
      post: (message) => void messaging.postMessage(message, editor),
      onMessage: messages.event,
    });
    const page: OutputPage = { messages, attached };
    this.#pages.set(editor, page);
    return page;
  }

  /** The outputs of a closed notebook are no longer in view. */
  #leave(notebook: vscode.NotebookDocument): void {
    for (const [editor, page] of this.#pages) {
      if (editor.notebook !== notebook) continue;
      page.attached.dispose();
      this.#pages.delete(editor);
    }
  }
}

interface OutputPage {
  readonly messages: vscode.EventEmitter<unknown>;
  readonly attached: { dispose(): void };
}
