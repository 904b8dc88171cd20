// Updates kept runs when VS Code opens, closes, renames, deletes or edits notebooks.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { keepsResults } from '../deployments/profiles.ts';
import { keptResultsBytes } from '../host/settings.ts';
import { runCellCommand } from './cells.ts';
import { type EndedQuery, keptQueries, readQueries } from './endedQueries.ts';
import { digest, KeptOutputs, type KeptRun } from './keptOutputs.ts';

/** The maximum time between the opening of a saved notebook and the closing of its untitled original. */
const SAVING_MS = 30_000;

type CellRun = Omit<KeptRun, 'outputs'>;

export class KeptRuns extends KeptOutputs<vscode.NotebookCell> {
  readonly #context: Context;
  readonly #openedAt = new WeakMap<vscode.NotebookDocument, number>();
  readonly #saved = new vscode.EventEmitter<vscode.NotebookDocument>();
  /** Fires with a saved notebook after it took over an untitled notebook's runs. */
  readonly onDidSaveUntitled = this.#saved.event;

  constructor(context: Context) {
    const { extension, store, log } = context;
    super({ memory: extension.workspaceState, store, log });
    this.#context = context;
    for (const notebook of vscode.workspace.notebookDocuments) this.openNotebook(notebook);
    this.own(
      this.#saved,
      vscode.workspace.onDidOpenNotebookDocument((notebook) => {
        this.#openedAt.set(notebook, Date.now());
        this.openNotebook(notebook);
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => {
        const uri = notebook.uri.toString();
        this.close(uri);
        if (!notebook.isUntitled) return;
        const saved = this.#savedAs(notebook);
        if (saved) {
          this.move(uri, saved.uri.toString());
          this.openNotebook(saved);
          this.#saved.fire(saved);
        }
        // Delete the runs, because another untitled notebook may later get the same name.
        this.delete(uri);
      }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) this.delete(uri.toString());
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.move(oldUri.toString(), newUri.toString());
        for (const notebook of vscode.workspace.notebookDocuments) this.openNotebook(notebook);
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
        if (contentChanges.length > 0) this.moved(notebook.uri.toString());
      }),
    );
  }

  openNotebook(notebook: vscode.NotebookDocument): void {
    if (notebook.notebookType !== notebookType) return;
    this.open(notebook.uri.toString(), notebook.getCells());
  }

  /** Finds the notebook that an untitled one was saved as. Compares their texts, because VS Code doesn't link them. */
  #savedAs(untitled: vscode.NotebookDocument): vscode.NotebookDocument | undefined {
    const texts = textsOf(untitled);
    return vscode.workspace.notebookDocuments.find(
      (notebook) =>
        notebook.notebookType === untitled.notebookType &&
        !notebook.isUntitled &&
        Date.now() - (this.#openedAt.get(notebook) ?? 0) < SAVING_MS &&
        textsOf(notebook) === texts,
    );
  }

  /** Keeps a run if all of its queries may be stored. */
  keep(cell: vscode.NotebookCell, run: CellRun, queries: readonly EndedQuery[]): void {
    const { deployments, store } = this.#context;
    const outputs = keptQueries(queries, {
      fileOf: (answer) => store.get(answer)?.kept,
      keeps: (deployment) => keepsResults(deployments.find(deployment)),
    });
    this.ran(cell, { ...run, outputs });
    if (keptResultsBytes() === 0 || outputs.length < queries.length) this.forget([cell]);
  }

  /** Reads a run's queries from disk; undefined if one cannot be read. */
  async read(cell: vscode.NotebookCell, run: KeptRun): Promise<EndedQuery[] | undefined> {
    const { store, log } = this.#context;
    const uri = cell.document.uri.toString();
    try {
      return await readQueries(run, uri, store, { label: 'Run Again', ...runCellCommand(uri) });
    } catch (error) {
      log.warn(`An output from before the reload cannot be shown: ${(error as Error).message}`);
      return undefined;
    }
  }
}

function textsOf(notebook: vscode.NotebookDocument): string {
  return JSON.stringify(notebook.getCells().map(({ document }) => document.getText()));
}

export function cellRun(
  cell: vscode.NotebookCell,
  order: number,
): Pick<CellRun, 'textDigest' | 'order' | 'startedAt'> {
  return { textDigest: digest(cell.document.getText()), order, startedAt: Date.now() };
}
