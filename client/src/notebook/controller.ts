// Runs cells in order. A failed cell doesn't stop the next. When a notebook is reopened, an execution without a query
// restores each cell's last outputs, because an edit would mark the document as changed.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import type { FailedTabState, TabId } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { Disposables } from '../host/disposables.ts';
import { languageId } from '../host/languageId.ts';
import { settled } from '../languageServer/pendingEdits.ts';
import type { Wait } from '../query/afterRateLimit.ts';
import { noParameters } from '../query/fillParameters.ts';
import { type Query, tabQuery } from '../query/query.ts';
import { setStatusBarMessage, showInformationMessage } from '../ui/notifications.ts';
import { withIcons } from '../ui/plain.ts';
import { errorMessage } from '../words/errors.ts';
import { askCell, askForParameters } from './askCell.ts';
import { runCell, runCellCommand } from './cells.ts';
import { dropQueries, type EndedQuery } from './endedQueries.ts';
import type { KeptOutput } from './file.ts';
import { outputsToKeep } from './keepRows.ts';
import type { KeptRun } from './keptOutputs.ts';
import { cellRun, KeptRuns } from './keptRuns.ts';
import { editNotebook, keepsOutputs } from './metadata.ts';
import { failureOutput, resultOutput } from './output.ts';
import { NotebookOutputs } from './outputs.ts';

export class NotebookRuns extends Disposables {
  readonly #parts: Context;
  readonly #controller: vscode.NotebookController;
  /** The latest run of each notebook. The next run waits for it. */
  readonly #queues = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  readonly #outputs: NotebookOutputs;
  readonly #kept: KeptRuns;
  /** The restoration in progress, by notebook. Runs wait for it, because VS Code allows one execution per cell. */
  readonly #restoring = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  /** Running cells. VS Code clears outputs before a run, but may report the clearing after the first new output. */
  readonly #running = new Set<vscode.NotebookCell>();
  #order = 0;

  constructor(parts: Context) {
    super();
    this.#parts = parts;
    this.#outputs = new NotebookOutputs(parts);
    this.#kept = new KeptRuns(parts);
    const controller = vscode.notebooks.createNotebookController(notebookType, notebookType, 'APL');
    controller.supportedLanguages = [languageId];
    controller.supportsExecutionOrder = true;
    controller.description = 'Runs APL queries on the deployment of the notebook';
    controller.executeHandler = (cells, notebook) => this.#enqueue(cells, notebook);
    this.#controller = controller;
    this.own(
      controller,
      this.#outputs,
      this.#kept,
      // Wait until VS Code has reselected a notebook's former controller, because cells can't be executed before that.
      controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
        if (selected) void this.#restore(notebook);
      }),
      // Select the controller again, because VS Code doesn't keep it when an untitled notebook is saved.
      this.#kept.onDidSaveUntitled((notebook) =>
        selectController(notebook, parts.extension.extension.id),
      ),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges, cellChanges }) => {
        // Ignore moved cells, which VS Code reports as removed and added.
        const added = new Set(contentChanges.flatMap(({ addedCells }) => addedCells));
        const removed = contentChanges.flatMap(({ removedCells }) => removedCells);
        const gone = removed.filter((cell) => !added.has(cell));
        this.#outputs.forget(gone);
        this.#kept.forget(gone);
        for (const { cell, outputs } of cellChanges) {
          if (outputs?.length !== 0 || this.#running.has(cell)) continue;
          this.#outputs.keepOnly(cell, []);
          this.#kept.forget([cell]);
        }
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) =>
        this.#outputs.forget(notebook.getCells()),
      ),
    );
  }

  /** Saves or removes the first rows of each cell's answers. Deployments may disallow saving. */
  async keepOutputs(notebook: vscode.NotebookDocument, keep: boolean): Promise<void> {
    const { keepOutputs: _, ...metadata } = notebook.metadata;
    const edits = [
      vscode.NotebookEdit.updateNotebookMetadata(
        keep ? { ...metadata, keepOutputs: true } : metadata,
      ),
    ];
    for (const cell of notebook.getCells()) {
      // Keep previously saved rows until the cell runs.
      if (keep && this.#outputs.answersOf(cell).length === 0) continue;
      edits.push(...keptEdit(cell, keep ? await this.#rowsOf(cell) : []));
    }
    await editNotebook(notebook, edits);
  }

  async runWithParameters(cell: vscode.NotebookCell): Promise<void> {
    const asked = await askForParameters(cell, this.#parts);
    if (asked === undefined) void showInformationMessage(noParameters);
    if (asked) await runCell(cell);
  }

  #enqueue(
    cells: readonly vscode.NotebookCell[],
    notebook: vscode.NotebookDocument,
  ): Promise<void> {
    this.#kept.forget(cells);
    const restoring = this.#restoring.get(notebook);
    if (restoring) return restoring.then(() => this.#enqueue(cells, notebook));
    const executions = cells.map((cell) => this.#controller.createNotebookCellExecution(cell));
    const before = this.#queues.get(notebook) ?? Promise.resolve();
    const run = before.then(async () => {
      for (const execution of executions) await this.#run(execution);
    });
    // Ignore errors, so that a run whose rows could not be saved doesn't stop later runs.
    this.#queues.set(
      notebook,
      run.catch(() => undefined),
    );
    return run;
  }

  async #run(execution: vscode.NotebookCellExecution): Promise<void> {
    const { cell, token } = execution;
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    this.#running.add(cell);
    this.#order += 1;
    execution.executionOrder = this.#order;
    execution.start(Date.now());
    let run = cellRun(cell, this.#order);
    let success: boolean | undefined;
    let waiting: vscode.Disposable | undefined;
    const ended: EndedQuery[] = [];
    const tabs: TabId[] = [];
    const show = async (query: EndedQuery): Promise<void> => {
      ended.push(query);
      const { tab, output } = this.#outputOf(cell, query);
      tabs.push(tab);
      await execution.appendOutput(output);
    };
    try {
      await execution.clearOutput();
      await settled(cell.document);
      run = cellRun(cell, this.#order);
      if (!abort.signal.aborted) {
        success = await askCell(cell, this.#parts, abort.signal, {
          waits: (wait) => {
            waiting?.dispose();
            waiting = wait && waitMessage(wait);
          },
          answered: (query, { id, head }) =>
            show({ query: tabQuery(query), state: { kind: 'result', answer: id }, head }),
          failed: (query, state, place) =>
            show({ query: tabQuery(query), state, ...(place !== undefined && { place }) }),
        });
      }
    } catch (error) {
      this.#parts.log.error('Running a cell', error);
      await show({ query: tabQuery(cellAsQuery(cell)), state: notRun(cell, error) });
      success = false;
    } finally {
      listening.dispose();
      waiting?.dispose();
      this.#outputs.keepOnly(cell, tabs);
      this.#running.delete(cell);
      const endedAt = Date.now();
      execution.end(success, endedAt);
      this.#kept.keep(cell, { ...run, endedAt, ...(success !== undefined && { success }) }, ended);
    }
    if (!keepsOutputs(cell.notebook.metadata)) return;
    const edits = keptEdit(cell, await this.#rowsOf(cell));
    if (edits.length > 0) await editNotebook(cell.notebook, edits);
  }

  async #restore(notebook: vscode.NotebookDocument): Promise<void> {
    this.#kept.openNotebook(notebook);
    for (const cell of notebook.getCells()) {
      const run = this.#kept.runOf(cell);
      if (run === undefined || this.#isShown(cell)) continue;
      const queries = await this.#kept.read(cell, run);
      if (queries === undefined) {
        if (this.#kept.runOf(cell) === run) this.#kept.forget([cell]);
        continue;
      }
      // Skip the cell, because it was run, edited, deleted or closed in the meantime.
      if (notebook.isClosed || this.#kept.runOf(cell) !== run || this.#isShown(cell)) {
        await dropQueries(queries, this.#parts.store);
        continue;
      }
      const restoring = this.#showRun(cell, run, queries).catch(async (error) => {
        this.#parts.log.error('Restoring the output of a cell', error);
        await dropQueries(queries, this.#parts.store);
      });
      this.#restoring.set(notebook, restoring);
      await restoring;
      this.#restoring.delete(notebook);
    }
  }

  async #showRun(
    cell: vscode.NotebookCell,
    { order, startedAt, endedAt, success }: KeptRun,
    queries: readonly EndedQuery[],
  ): Promise<void> {
    const execution = this.#controller.createNotebookCellExecution(cell);
    const shown = queries.map((query) => this.#outputOf(cell, query));
    this.#running.add(cell);
    this.#order = Math.max(this.#order, order);
    execution.executionOrder = order;
    execution.start(startedAt);
    try {
      await execution.replaceOutput(shown.map(({ output }) => output));
    } finally {
      this.#running.delete(cell);
      execution.end(success, endedAt);
    }
  }

  /** Returns whether a cell has run or was restored since the notebook was opened. */
  #isShown(cell: vscode.NotebookCell): boolean {
    return this.#running.has(cell) || this.#outputs.has(cell);
  }

  #outputOf(cell: vscode.NotebookCell, query: EndedQuery) {
    const tab = this.#outputs.add(cell, query.query, query.state);
    if ('head' in query) return { tab, output: resultOutput(tab, query.head) };
    return { tab, output: failureOutput(tab, query.state, query.place) };
  }

  #rowsOf(cell: vscode.NotebookCell): Promise<KeptOutput[]> {
    const { store, deployments } = this.#parts;
    return outputsToKeep(this.#outputs.answersOf(cell), store, (name) => deployments.find(name));
  }
}

/** Selects the APL controller for a notebook when the notebook becomes active. */
function selectController(notebook: vscode.NotebookDocument, extension: string): void {
  const controller = { id: notebookType, extension };
  const select = () => vscode.commands.executeCommand('notebook.selectKernel', controller);
  if (vscode.window.activeNotebookEditor?.notebook === notebook) return void select();
  const waiting = vscode.Disposable.from(
    vscode.window.onDidChangeActiveNotebookEditor((editor) => {
      if (editor?.notebook !== notebook) return;
      waiting.dispose();
      void select();
    }),
    vscode.workspace.onDidCloseNotebookDocument((closed) => {
      if (closed === notebook) waiting.dispose();
    }),
  );
}

function waitMessage({ reason, until }: Wait): vscode.Disposable {
  const seconds = Math.ceil((until - Date.now()) / 1_000);
  return setStatusBarMessage(withIcons`$(watch) ${reason} Asking again in ${String(seconds)} s.`);
}

function cellAsQuery({ document }: vscode.NotebookCell): Query {
  const text = document.getText();
  const range = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  return { text, title: '', statesColumnOrder: false, place: { uri: document.uri, range } };
}

/** Describes an unexpected error, such as the end of the language server. */
function notRun({ document }: vscode.NotebookCell, error: unknown): FailedTabState {
  return {
    kind: 'failed',
    message: `The cell was not run: ${errorMessage(error)}`,
    actions: [
      { label: 'Try Again', ...runCellCommand(document.uri.toString()) },
      { label: 'Show Log', command: 'aplomb.showLog' },
    ],
  };
}

/** Returns the edit that updates a cell's saved rows, or none if they are unchanged. */
function keptEdit(
  { index, metadata }: vscode.NotebookCell,
  kept: readonly KeptOutput[],
): vscode.NotebookEdit[] {
  const { kept: before = [], ...others } = metadata;
  if (JSON.stringify(before) === JSON.stringify(kept)) return [];
  const changed = kept.length === 0 ? others : { ...others, kept };
  return [vscode.NotebookEdit.updateCellMetadata(index, changed)];
}
