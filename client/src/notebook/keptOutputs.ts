// Keeps each cell's last run across window reloads. The list of runs is in the workspace's storage, and their answers
// are in the same folder as tab answers. Answers that no run refers to are erased. Does not import vscode.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { parsedJson, stringifyJson } from '../../../api/src/plain.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import type { FailedTabState, TabQuery } from '../answers/tabs.ts';
import { Disposables } from '../host/disposables.ts';
import type { Log } from '../host/log.ts';
import { anyNumber, anyText, type Check, either, list, members } from '../webview/checks.ts';

const KEY = 'notebookOutputs';
/** The maximum number of notebooks. The runs of the least recently changed notebook are discarded first. */
const NOTEBOOKS_MAX = 100;

export interface KeptRun {
  readonly textDigest: string;
  /** The execution number that VS Code shows next to the cell. */
  readonly order: number;
  /** The start of the run in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether the run succeeded; absent if it was cancelled. */
  readonly success?: boolean;
  /** The outputs in the order of the queries. */
  readonly outputs: readonly KeptQuery[];
}

export type KeptQuery = { readonly query: TabQuery } & (
  | {
      /** The name of the answer's file on disk. */
      readonly file: string;
    }
  | {
      readonly failure: Omit<FailedTabState, 'kind' | 'actions'>;
      /** The position of the error, such as `Line 3 of this cell`. */
      readonly place?: string;
    }
);

interface KeptCell extends KeptRun {
  readonly index: number;
}

/** The members of VS Code's cells that this module uses. */
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

export class KeptOutputs<Cell extends CellLike> extends Disposables {
  readonly #parts: KeptOutputsParts;
  /** The stored runs by notebook URI. */
  readonly #stored: Map<string, readonly KeptCell[]>;
  readonly #open = new Map<string, Map<Cell, KeptRun>>();

  constructor(parts: KeptOutputsParts) {
    super();
    this.#parts = parts;
    this.#stored = new Map(storedIn(parts.memory.get<unknown>(KEY)));
    this.own(
      parts.store.onDidChange((event) => {
        if (event.type === 'erased') this.#erased(event.files);
      }),
    );
  }

  /** Assigns a notebook's stored runs to its cells by text, and erases runs without a cell. */
  open(notebook: string, cells: readonly Cell[]): void {
    if (this.#open.has(notebook)) return;
    this.#open.set(notebook, runsOf(this.#stored.get(notebook) ?? [], cells));
    this.moved(notebook);
  }

  /** Keeps a closed notebook's runs in storage. */
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

  /** Renames a notebook, or a folder that contains notebooks. Afterwards, call `open` again for open notebooks. */
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

  /** Returns a cell's last run; undefined if the cell's text has changed since. */
  runOf(cell: Cell): KeptRun | undefined {
    const run = this.#open.get(notebookOf(cell))?.get(cell);
    return run?.textDigest === digest(cell.document.getText()) ? run : undefined;
  }

  ran(cell: Cell, run: KeptRun): void {
    const notebook = notebookOf(cell);
    const open = this.#open.get(notebook);
    // Discard the run, because the cell was deleted or its notebook was closed while the query ran.
    if (open === undefined || cell.index < 0) return this.#erase(filesOf(run));
    open.set(cell, run);
    this.moved(notebook);
  }

  /** Erases the runs of cells, such as deleted cells or cells with cleared outputs. */
  forget(cells: readonly Cell[]): void {
    for (const cell of cells) this.#open.get(notebookOf(cell))?.delete(cell);
    for (const notebook of new Set(cells.map(notebookOf))) this.moved(notebook);
  }

  /** Stores the runs of an open notebook by cell index, for example after cells were added, removed or moved. */
  moved(notebook: string): void {
    const open = this.#open.get(notebook);
    if (open === undefined) return;
    const cells = [...open].map(([{ index }, run]) => ({ ...run, index }));
    this.#set(
      notebook,
      cells.sort((left, right) => left.index - right.index),
    );
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

  /** Returns the stored notebooks that have this URI or are in the folder with this URI. */
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

  /** Discards runs whose answers were erased elsewhere, for example together with the history. */
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

/** Hashes a cell's text. Ignores line endings, because VS Code may convert them. */
export function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}

export function filesOf({ outputs }: KeptRun): string[] {
  return outputs.flatMap((output) => ('file' in output ? [output.file] : []));
}

/** Matches runs to cells by text. Prefers the run with the same cell index. */
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
  const list = typeof text === 'string' ? parsedJson(text) : undefined;
  return Array.isArray(list) ? list.flatMap(notebookIn) : [];
}

function notebookIn(value: unknown): [string, readonly KeptCell[]][] {
  const { notebook, cells } = (value ?? {}) as { notebook?: unknown; cells?: unknown };
  if (typeof notebook !== 'string' || !Array.isArray(cells)) return [];
  return [[notebook, cells.filter(isKeptCell)]];
}

const query = members({ text: anyText, title: anyText });
const isKeptCell = members({
  index: anyNumber,
  order: anyNumber,
  startedAt: anyNumber,
  endedAt: anyNumber,
  textDigest: anyText,
  outputs: list(
    either(
      members({ query, file: anyText }),
      members({ query, failure: members({ message: anyText }) }),
    ),
    Number.POSITIVE_INFINITY,
  ),
}) as Check<KeptCell>;
