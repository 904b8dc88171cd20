// Assigns tabs to cells, and exchanges messages with the page that draws all outputs of a notebook.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { AnswerSlots, answerIn } from '../answers/slots.ts';
import type { SettledTabState, TabId, TabQuery } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { followQueries } from '../follow/followQueries.ts';
import { Disposables } from '../host/disposables.ts';
import { chartsFirst, onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import { Arrangements } from '../results/arrangements.ts';
import { answerEffects } from '../results/host/answerEffects.ts';
import { AnswersHost } from '../results/host/answersHost.ts';
import { viewEffects } from '../results/viewEffects.ts';
import { registerCommand } from '../ui/commands.ts';
import { cellCharts } from './cellCharts.ts';
import { cellAt, runCell, runCellCommand } from './cells.ts';
import type { CellAnswer } from './keepRows.ts';

/** The renderer's ID in the manifest. */
const rendererId = 'aplomb-result';

export class NotebookOutputs extends Disposables {
  /** The tab IDs are unique per extension host, because outputs may outlive the host and must not match new tabs. */
  readonly #tabs = new AnswerSlots(`cell-${randomUUID()}`);
  readonly #cellTabs = new Map<vscode.NotebookCell, TabId[]>();
  readonly #charts: ReturnType<typeof cellCharts>;
  readonly #host: AnswersHost;
  readonly #pages = new Map<vscode.NotebookEditor, OutputPage>();

  constructor(parts: Context) {
    super();
    const { extension, store, results, language, log } = parts;
    const charts = cellCharts(parts, this.#tabs);
    this.#charts = charts;
    this.#host = new AnswersHost({
      store,
      tabs: this.#tabs,
      arrangements: new Arrangements(extension.workspaceState),
      // All notebooks share the document providers, because VS Code asks only one provider per scheme.
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
    this.own(
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

  /** Returns a cell's answers in query order, with their deployments. */
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

  /** Stores a query's result or failure in a tab. Reuses the query's tab if the cell has run before. */
  add(cell: vscode.NotebookCell, query: TabQuery, state: SettledTabState): TabId {
    const tab = this.#tabs.show(query, state);
    const others = (this.#cellTabs.get(cell) ?? []).filter((other) => other !== tab);
    this.#cellTabs.set(cell, [...others, tab]);
    return tab;
  }

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

  /** Returns an editor's page. Its channel stays open until the notebook is closed. */
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
