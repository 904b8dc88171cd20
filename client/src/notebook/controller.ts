// Runs cells one after another. A cell that fails does not stop the next, since a let can be used whether or not its
// cell has run. The answers of a cell are dropped with its outputs.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import { languageId } from '../languageClient.ts';
import type { Wait } from '../query/afterRateLimit.ts';
import type { Query } from '../query/query.ts';
import type { FailedTabState, SettledTabState, TabId } from '../results/tabs.ts';
import { setStatusBarMessage } from '../ui/messages.ts';
import { withIcons } from '../ui/plain.ts';
import { askCell, type CellRunParts } from './askCell.ts';
import { runCellCommand } from './cells.ts';
import type { KeptOutput } from './file.ts';
import { outputsToKeep } from './keepRows.ts';
import { keepsOutputs, metadataKeys } from './metadata.ts';
import { failureOutput, resultOutput } from './output.ts';
import { NotebookOutputs } from './outputs.ts';

export class NotebookRuns implements vscode.Disposable {
  readonly #parts: CellRunParts;
  readonly #controller: vscode.NotebookController;
  readonly #subscriptions: vscode.Disposable;
  /** The latest run of each notebook, which the next one waits for. */
  readonly #queues = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  readonly #outputs: NotebookOutputs;
  /** Outputs are cleared before a run; that event may arrive after the first new output is there. */
  readonly #running = new Set<vscode.NotebookCell>();
  #order = 0;

  constructor(parts: CellRunParts) {
    this.#parts = parts;
    this.#outputs = new NotebookOutputs(parts);
    const controller = vscode.notebooks.createNotebookController(notebookType, notebookType, 'APL');
    controller.supportedLanguages = [languageId];
    controller.supportsExecutionOrder = true;
    controller.description = 'Runs APL queries on the deployment of the notebook';
    controller.executeHandler = (cells, notebook) => this.#enqueue(cells, notebook);
    this.#controller = controller;
    this.#subscriptions = vscode.Disposable.from(
      controller,
      this.#outputs,
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges, cellChanges }) => {
        // A cell that is moved is removed and added.
        const added = new Set(contentChanges.flatMap(({ addedCells }) => addedCells));
        const removed = contentChanges.flatMap(({ removedCells }) => removedCells);
        this.#outputs.forget(removed.filter((cell) => !added.has(cell)));
        for (const { cell, outputs } of cellChanges)
          if (outputs?.length === 0 && !this.#running.has(cell)) this.#outputs.keepOnly(cell, []);
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) =>
        this.#outputs.forget(notebook.getCells()),
      ),
    );
  }

  /** Saves the first rows of each cell with the notebook, where its deployment allows that, or removes them. */
  async keepOutputs(notebook: vscode.NotebookDocument, keep: boolean): Promise<void> {
    const { keepOutputs: _, ...metadata } = notebook.metadata;
    const edits = [
      vscode.NotebookEdit.updateNotebookMetadata(
        keep ? { ...metadata, keepOutputs: true } : metadata,
      ),
    ];
    for (const cell of notebook.getCells()) {
      // Rows that were saved before stay until the cell runs.
      if (keep && this.#outputs.answersOf(cell).length === 0) continue;
      const kept = keep ? await this.#rowsOf(cell) : [];
      const edit = keptEdit(cell, kept);
      if (edit) edits.push(edit);
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, edits);
    await vscode.workspace.applyEdit(edit);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #enqueue(
    cells: readonly vscode.NotebookCell[],
    notebook: vscode.NotebookDocument,
  ): Promise<void> {
    const executions = cells.map((cell) => this.#controller.createNotebookCellExecution(cell));
    const before = this.#queues.get(notebook) ?? Promise.resolve();
    const run = before.then(async () => {
      for (const execution of executions) await this.#run(execution);
    });
    // A run whose rows could not be saved does not stop later runs.
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
    let success: boolean | undefined;
    let waiting: vscode.Disposable | undefined;
    const tabs: TabId[] = [];
    const add = (query: Query, state: SettledTabState): TabId => {
      const tab = this.#outputs.add(cell, query, state);
      tabs.push(tab);
      return tab;
    };
    try {
      await execution.clearOutput();
      if (!abort.signal.aborted) {
        success = await askCell(cell, this.#parts, abort.signal, {
          waits: (wait) => {
            waiting?.dispose();
            waiting = wait && waitMessage(wait);
          },
          answered: async (query, { id, head }) => {
            await execution.appendOutput(
              resultOutput(add(query, { kind: 'result', answer: id }), head),
            );
          },
          failed: async (query, state, place) => {
            await execution.appendOutput(failureOutput(add(query, state), state, place));
          },
        });
      }
    } catch (error) {
      this.#parts.log.error('Running a cell', error);
      const state = notRun(cell, error);
      await execution.appendOutput(failureOutput(add(cellAsQuery(cell), state), state));
      success = false;
    } finally {
      listening.dispose();
      waiting?.dispose();
      this.#outputs.keepOnly(cell, tabs);
      this.#running.delete(cell);
      execution.end(success, Date.now());
    }
    if (keepsOutputs(cell.notebook.metadata)) await this.#keep(cell);
  }

  async #keep(cell: vscode.NotebookCell): Promise<void> {
    const change = keptEdit(cell, await this.#rowsOf(cell));
    if (change === undefined) return;
    const edit = new vscode.WorkspaceEdit();
    edit.set(cell.notebook.uri, [change]);
    await vscode.workspace.applyEdit(edit);
  }

  #rowsOf(cell: vscode.NotebookCell): Promise<KeptOutput[]> {
    const { store, deployments } = this.#parts;
    return outputsToKeep(this.#outputs.answersOf(cell), store, (name) => deployments.find(name));
  }
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

/** For unexpected errors, such as a language server that has ended. */
function notRun({ document }: vscode.NotebookCell, error: unknown): FailedTabState {
  const why = error instanceof Error ? error.message : String(error);
  return {
    kind: 'failed',
    message: `The cell was not run: ${why}`,
    actions: [
      { label: 'Try Again', ...runCellCommand(document.uri.toString()) },
      { label: 'Show Log', command: 'aplomb.showLog' },
    ],
  };
}

/** The edit of a cell's saved rows; undefined if they do not change. */
function keptEdit(
  { index, metadata }: vscode.NotebookCell,
  kept: readonly KeptOutput[],
): vscode.NotebookEdit | undefined {
  const { kept: before = [], ...others } = metadata;
  if (JSON.stringify(before) === JSON.stringify(kept)) return undefined;
  return vscode.NotebookEdit.updateCellMetadata(
    index,
    kept.length === 0 ? others : { ...others, [metadataKeys.kept]: kept },
  );
}
