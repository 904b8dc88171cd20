// Keeps the last runs of the cells of notebooks in VS Code, and reads them back when a notebook is opened again.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { keepsResults } from '../deployments/profiles.ts';
import type { AnswerHead } from '../results/store/answer.ts';
import type { FailedTabState, ResultTabState, TabQuery } from '../results/tabs.ts';
import { keptResultsBytes } from '../settings.ts';
import { runCellCommand } from './cells.ts';
import { digest, KeptOutputs, type KeptQuery, type KeptRun } from './keptOutputs.ts';

/** A query of a cell that has come to an end. */
export type EndedQuery = { readonly query: TabQuery } & (
  | { readonly state: ResultTabState; readonly head: AnswerHead }
  | { readonly state: FailedTabState; readonly place?: string }
);

/** A run that is going on or has ended. */
export type CellRun = Omit<KeptRun, 'outputs'>;

export class KeptRuns implements vscode.Disposable {
  readonly #context: Context;
  readonly #kept: KeptOutputs<vscode.NotebookCell>;
  readonly #subscriptions: vscode.Disposable;

  constructor(context: Context) {
    this.#context = context;
    const { extension, store, log } = context;
    const kept = new KeptOutputs<vscode.NotebookCell>({
      memory: extension.workspaceState,
      store,
      log,
    });
    this.#kept = kept;
    for (const notebook of vscode.workspace.notebookDocuments) this.open(notebook);
    this.#subscriptions = vscode.Disposable.from(
      new vscode.Disposable(() => kept.dispose()),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.open(notebook)),
      vscode.workspace.onDidCloseNotebookDocument(({ uri, isUntitled }) => {
        kept.close(uri.toString());
        // Another untitled notebook may get its name.
        if (isUntitled) kept.delete(uri.toString());
      }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) kept.delete(uri.toString());
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) kept.move(oldUri.toString(), newUri.toString());
        for (const notebook of vscode.workspace.notebookDocuments) this.open(notebook);
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
        if (contentChanges.length > 0) kept.moved(notebook.uri.toString());
      }),
    );
  }

  open(notebook: vscode.NotebookDocument): void {
    if (notebook.notebookType !== notebookType) return;
    this.#kept.open(notebook.uri.toString(), notebook.getCells());
  }

  /** The run whose outputs a cell shows or is to show again; undefined where its text has changed since. */
  runOf(cell: vscode.NotebookCell): KeptRun | undefined {
    return this.#kept.runOf(cell);
  }

  /** Keeps a run, if all of its answers are on disk. */
  ran(cell: vscode.NotebookCell, run: CellRun, queries: readonly EndedQuery[]): void {
    const outputs = queries.flatMap((query) => this.#keptQuery(query) ?? []);
    this.#kept.ran(cell, { ...run, outputs });
    if (keptResultsBytes() === 0 || outputs.length < queries.length) this.#kept.forget([cell]);
  }

  /** Forgets the runs of cells that are gone, run again or have no outputs any more, and erases their answers. */
  forget(cells: readonly vscode.NotebookCell[]): void {
    this.#kept.forget(cells);
  }

  /** Reads the answers of a run from disk; undefined where one cannot be read. */
  async read(cell: vscode.NotebookCell, run: KeptRun): Promise<EndedQuery[] | undefined> {
    const { store, log } = this.#context;
    const uri = cell.document.uri.toString();
    const queries: EndedQuery[] = [];
    try {
      for (const output of run.outputs) {
        // A cell may have another URI after a reload.
        const { place, ...others } = output.query;
        const query = { ...others, ...(place && { place: { ...place, uri } }) };
        if ('file' in output) {
          const { id, head } = await store.restoreKept(output.file);
          queries.push({ query, state: { kind: 'result', answer: id }, head });
        } else {
          const actions = [{ label: 'Run Again', ...runCellCommand(uri) }];
          const state = { kind: 'failed', ...output.failure, actions } as const;
          const { place: at } = output;
          queries.push({ query, state, ...(at !== undefined && { place: at }) });
        }
      }
      return queries;
    } catch (error) {
      log.warn(`The output of a cell of before the reload is not shown: ${error}`);
      await this.drop(queries);
      return undefined;
    }
  }

  /** Removes what was read from memory. */
  async drop(queries: readonly EndedQuery[]): Promise<void> {
    for (const { state } of queries)
      if (state.kind === 'result')
        await this.#context.store.drop(state.answer).catch(() => undefined);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #keptQuery(ended: EndedQuery): KeptQuery | undefined {
    const { deployments, store } = this.#context;
    const { query } = ended;
    if ('head' in ended) {
      const file = store.get(ended.state.answer)?.kept;
      return file === undefined ? undefined : { query, file };
    }
    // A message may quote values, so failures follow the rule of results.
    if (!keepsResults(deployments.find(query.deployment ?? ''))) return undefined;
    const { kind: _kind, actions: _actions, ...failure } = ended.state;
    const { place } = ended;
    return { query, failure, ...(place !== undefined && { place }) };
  }
}

/** A run of a cell as it is now. */
export function cellRun(
  cell: vscode.NotebookCell,
  order: number,
): Pick<CellRun, 'text' | 'order' | 'startedAt'> {
  return { text: digest(cell.document.getText()), order, startedAt: Date.now() };
}
