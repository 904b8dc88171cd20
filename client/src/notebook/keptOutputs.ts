// Keeps the last run of each cell over a reload of the window. The list of runs is in the workspace's storage, and
// their answers are in the folder that has the answers of tabs. An answer that no run names any longer is erased.
// Free of vscode.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import type { FailedTabState, TabQuery } from '../answers/tabs.ts';
import type { Log } from '../host/log.ts';

const KEY = 'notebookOutputs';
/** Beyond this number, the runs of the notebook that changed least recently are forgotten. */
const NOTEBOOKS_MAX = 100;

export interface KeptRun {
  readonly textDigest: string;
  /** The execution order that VS Code shows next to the cell. */
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Absent where the run was cancelled. */
  readonly success?: boolean;
  /** In the order of the queries. */
  readonly outputs: readonly KeptQuery[];
}

export type KeptQuery = { readonly query: TabQuery } & (
  | {
      /** The name of the answer on disk. */
      readonly file: string;
    }
  | {
      readonly failure: Omit<FailedTabState, 'kind' | 'actions'>;
      /** Where the error is, such as `Line 3 of this cell`. */
      readonly place?: string;
    }
);

interface KeptCell extends KeptRun {
  /** The index of the cell in its notebook. */
  readonly index: number;
}

/** The members of VS Code's cell that are used here. */
export interface CellLike {
  readonly index: number;
  readonly notebook: { readonly uri: { toString(): string } };
  readonly document: { getText(): string };
}

interface KeptOutputsParts {
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  readonly store: Pick<ResultsStore, 'onDidChange' | 'eraseKept'>;
  readonly log: Pick<Log, 'warn'>;
}

export class KeptOutputs<Cell extends CellLike> {
  readonly #parts: KeptOutputsParts;
  readonly #subscription: { dispose(): void };
  /** The runs in the workspace's storage, by the notebook's URI. */
  readonly #stored: Map<string, readonly KeptCell[]>;
  readonly #open = new Map<string, Map<Cell, KeptRun>>();

  constructor(parts: KeptOutputsParts) {
    this.#parts = parts;
    this.#stored = new Map(storedIn(parts.memory.get<unknown>(KEY)));
    this.#subscription = parts.store.onDidChange((event) => {
      if (event.type === 'erased') this.#erased(event.files);
    });
  }

  /** Assigns the stored runs of a notebook to its cells by text, and erases the runs without a cell. */
  open(notebook: string, cells: readonly Cell[]): void {
    if (this.#open.has(notebook)) return;
    this.#open.set(notebook, runsOf(this.#stored.get(notebook) ?? [], cells));
    this.moved(notebook);
  }

  /** Keeps the runs of a closed notebook until it is opened again. */
  close(notebook: string): void {
    this.#open.delete(notebook);
  }

  /** Erases the runs of a deleted notebook, or of all notebooks in a deleted folder. */
  delete(uri: string): void {
    for (const notebook of this.#at(uri)) {
      this.#open.get(notebook)?.clear();
      this.#set(notebook, []);
    }
  }

  /** Renames a notebook, or a folder of notebooks. Call `open` again for a notebook that is open by its new name. */
  move(from: string, to: string): void {
    for (const notebook of this.#at(from)) {
      const moved = to + notebook.slice(from.length);
      this.#open.delete(notebook);
      this.#open.delete(moved);
      this.#set(moved, this.#stored.get(notebook) ?? []);
      this.#stored.delete(notebook);
    }
    this.#save();
  }

  /** Returns the last run of a cell; undefined if the cell's text has changed since. */
  runOf(cell: Cell): KeptRun | undefined {
    const run = this.#open.get(notebookOf(cell))?.get(cell);
    return run?.textDigest === digest(cell.document.getText()) ? run : undefined;
  }

  ran(cell: Cell, run: KeptRun): void {
    const notebook = notebookOf(cell);
    const open = this.#open.get(notebook);
    // The cell may have been deleted, or its notebook closed, while the query ran.
    if (open === undefined || cell.index < 0) return this.#erase(filesOf(run));
    open.set(cell, run);
    this.moved(notebook);
  }

  /** Erases the runs of cells, such as cells that were deleted or whose outputs were cleared. */
  forget(cells: readonly Cell[]): void {
    for (const cell of cells) this.#open.get(notebookOf(cell))?.delete(cell);
    for (const notebook of new Set(cells.map(notebookOf))) this.moved(notebook);
  }

  /** Stores the runs of an open notebook with its cells' indices, such as after cells were added, removed or moved. */
  moved(notebook: string): void {
    const open = this.#open.get(notebook);
    if (open === undefined) return;
    const cells = [...open].map(([{ index }, run]) => ({ ...run, index }));
    this.#set(
      notebook,
      cells.sort((left, right) => left.index - right.index),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #set(notebook: string, cells: readonly KeptCell[]): void {
    const before = this.#stored.get(notebook) ?? [];
    if (stringifyJson(before) === stringifyJson(cells)) return;
    this.#stored.delete(notebook);
    if (cells.length > 0) this.#stored.set(notebook, cells);
    const [oldest] = this.#stored.keys();
    const beyond = this.#stored.size > NOTEBOOKS_MAX && oldest !== undefined ? oldest : undefined;
    const removed = beyond === undefined ? [] : (this.#stored.get(beyond) ?? []);
    if (beyond !== undefined) this.#stored.delete(beyond);
    this.#save();
    const named = new Set(cells.flatMap(filesOf));
    this.#erase([...before, ...removed].flatMap(filesOf).filter((file) => !named.has(file)));
  }

  /** Returns the notebooks with runs that have this URI or are in the folder with this URI. */
  #at(uri: string): string[] {
    const names = [...this.#stored.keys()];
    return names.filter((name) => name === uri || name.startsWith(`${uri}/`));
  }

  #erase(files: readonly string[]): void {
    if (files.length === 0) return;
    const { store, log } = this.#parts;
    store
      .eraseKept(files)
      .catch((error) => log.warn(`Outputs of a notebook could not be erased: ${error}`));
  }

  /** Forgets the runs whose answers were erased elsewhere, such as with the history. */
  #erased(files: readonly string[] | 'all'): void {
    const isGone = (run: KeptRun) =>
      files === 'all' || filesOf(run).some((file) => files.includes(file));
    for (const runs of this.#open.values())
      for (const [cell, run] of [...runs]) if (isGone(run)) runs.delete(cell);
    let changed = false;
    for (const [notebook, cells] of [...this.#stored]) {
      const left = cells.filter((cell) => !isGone(cell));
      if (left.length === cells.length) continue;
      changed = true;
      if (left.length > 0) this.#stored.set(notebook, left);
      else this.#stored.delete(notebook);
    }
    if (changed) this.#save();
  }

  #save(): void {
    const list = [...this.#stored].map(([notebook, cells]) => ({ notebook, cells }));
    void this.#parts.memory.update(KEY, stringifyJson(list));
  }
}

/** Returns the digest of a cell's text. Line breaks count as equal, since VS Code may convert them. */
export function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}

/** Lists the names of a run's answers on disk. */
export function filesOf({ outputs }: KeptRun): string[] {
  return outputs.flatMap((output) => ('file' in output ? [output.file] : []));
}

/** Finds a run with the same text for each cell, preferably the run of the cell with the same index. */
function runsOf<Cell extends CellLike>(
  stored: readonly KeptCell[],
  cells: readonly Cell[],
): Map<Cell, KeptRun> {
  const left = new Set(stored);
  const runs = new Map<Cell, KeptRun>();
  for (const anyIndex of [false, true])
    for (const [at, cell] of cells.entries()) {
      const text = digest(cell.document.getText());
      const isOfCell = (run: KeptCell) => run.textDigest === text && (anyIndex || run.index === at);
      const run = runs.has(cell) ? undefined : [...left].find(isOfCell);
      if (run === undefined) continue;
      left.delete(run);
      runs.set(cell, run);
    }
  return runs;
}

function notebookOf({ notebook }: CellLike): string {
  return notebook.uri.toString();
}

function storedIn(text: unknown): [string, readonly KeptCell[]][] {
  if (typeof text !== 'string') return [];
  try {
    const list = parseJson(text);
    return Array.isArray(list) ? list.flatMap(notebookIn) : [];
  } catch {
    return [];
  }
}

function notebookIn(value: unknown): [string, readonly KeptCell[]][] {
  const { notebook, cells } = (value ?? {}) as { notebook?: unknown; cells?: unknown };
  if (typeof notebook !== 'string' || !Array.isArray(cells)) return [];
  return [[notebook, cells.filter(isKeptCell)]];
}

function isKeptCell(value: unknown): value is KeptCell {
  const cell = (value ?? {}) as Partial<KeptCell>;
  const numbers = [cell.index, cell.order, cell.startedAt, cell.endedAt];
  return (
    numbers.every((number) => typeof number === 'number') &&
    typeof cell.textDigest === 'string' &&
    Array.isArray(cell.outputs) &&
    cell.outputs.every(isKeptQuery)
  );
}

function isKeptQuery(value: unknown): value is KeptQuery {
  const { query, file, failure } = (value ?? {}) as {
    query?: Partial<TabQuery>;
    file?: unknown;
    failure?: { message?: unknown };
  };
  const isOfQuery = typeof query?.text === 'string' && typeof query.title === 'string';
  return isOfQuery && (typeof file === 'string' || typeof failure?.message === 'string');
}
