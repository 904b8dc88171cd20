// The last runs of cells over a reload of the window, as of tabs: which there are is in the workspace's storage, and
// their answers are on disk with those of tabs. An answer that no run names any longer is erased. Free of vscode.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { Log } from '../log.ts';
import type { StoreEvent } from '../results/store/heldAnswer.ts';
import type { TabQuery } from '../results/tabs.ts';

const KEY = 'notebookOutputs';
/** Notebooks beyond these lose what is kept, the one that was written least recently first. */
const NOTEBOOKS_MAX = 100;

/** The last run of a cell. */
export interface KeptRun {
  /** A digest of the text that the cell had as it ran. */
  readonly text: string;
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Absent where the run was cancelled. */
  readonly success?: boolean;
  /** In the order of the queries. */
  readonly outputs: readonly KeptQuery[];
}

/** A query of a run, with its answer or its failure. */
export type KeptQuery = { readonly query: TabQuery } & (
  | {
      /** The kept answer. */
      readonly file: string;
    }
  | {
      readonly failure: {
        readonly message: string;
        readonly code?: string;
        readonly traceId?: string;
      };
      /** The place of the error, such as `Line 3 of this cell`. */
      readonly place?: string;
    }
);

interface KeptCell extends KeptRun {
  /** The place of the cell in its notebook. */
  readonly index: number;
}

/** The part of VS Code's cell that is used here. */
export interface KeptPlace {
  readonly index: number;
  readonly notebook: { readonly uri: { toString(): string } };
  readonly document: { getText(): string };
}

export interface KeptOutputsParts {
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  readonly store: {
    onDidChange(listener: (event: StoreEvent) => void): { dispose(): void };
    eraseKept(files: readonly string[]): Promise<void>;
  };
  readonly log: Pick<Log, 'warn'>;
}

export class KeptOutputs<Cell extends KeptPlace> {
  readonly #parts: KeptOutputsParts;
  readonly #subscription: { dispose(): void };
  /** By notebook, what is stored. */
  readonly #stored: Map<string, readonly KeptCell[]>;
  /** By notebook that is open. */
  readonly #open = new Map<string, Map<Cell, KeptRun>>();

  constructor(parts: KeptOutputsParts) {
    this.#parts = parts;
    this.#stored = new Map(storedIn(parts.memory.get<unknown>(KEY)));
    this.#subscription = parts.store.onDidChange((event) => {
      if (event.type === 'erased') this.#erased(event.files);
    });
  }

  /** A notebook is open: its cells have the runs of those with the same text. Runs that no cell has are erased. */
  open(notebook: string, cells: readonly Cell[]): void {
    if (this.#open.has(notebook)) return;
    const stored = this.#stored.get(notebook) ?? [];
    const found = runsOf(
      stored,
      cells.map(({ document }) => digest(document.getText())),
    );
    const runs = cells.flatMap((cell, at): [Cell, KeptRun][] => {
      const run = found[at];
      return run ? [[cell, run]] : [];
    });
    this.#open.set(notebook, new Map(runs));
    this.#write(notebook);
  }

  /** A notebook is closed: its runs are there again when it is opened the next time. */
  close(notebook: string): void {
    this.#open.delete(notebook);
  }

  /** A notebook is gone, or all in a folder. */
  delete(uri: string): void {
    for (const notebook of this.#at(uri)) {
      this.#open.get(notebook)?.clear();
      this.#set(notebook, []);
    }
  }

  /** A notebook has another name, or all in a folder. Those that are open under it have to be opened again. */
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

  /** The run whose outputs a cell shows, or is to show again while its text is the one that ran. */
  runOf(cell: Cell): KeptRun | undefined {
    const run = this.#open.get(notebookOf(cell))?.get(cell);
    return run?.text === digest(cell.document.getText()) ? run : undefined;
  }

  /** A cell has run. */
  ran(cell: Cell, run: KeptRun): void {
    const notebook = notebookOf(cell);
    const open = this.#open.get(notebook);
    // The cell, or its notebook, may be gone.
    if (open === undefined || cell.index < 0) return this.#erase(filesOf(run));
    open.set(cell, run);
    this.#write(notebook);
  }

  /** Cells of a notebook are gone or without outputs. */
  forget(cells: readonly Cell[]): void {
    for (const cell of cells) this.#open.get(notebookOf(cell))?.delete(cell);
    for (const notebook of new Set(cells.map(notebookOf))) this.#write(notebook);
  }

  /** Cells of a notebook may have other places. */
  moved(notebook: string): void {
    this.#write(notebook);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #write(notebook: string): void {
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

  /** The notebook with a URI, or those in a folder with it, that have runs. */
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

  /** Somebody else has erased answers, such as all of them with the history. */
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

/** What a run keeps of the text of its cell. */
export function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}

export function filesOf({ outputs }: KeptRun): string[] {
  return outputs.flatMap((output) => ('file' in output ? [output.file] : []));
}

/** The run of each cell: the one at its place, or another one, if it ran with the text of the cell. */
function runsOf(stored: readonly KeptCell[], texts: readonly string[]): (KeptRun | undefined)[] {
  const atPlace = texts.map((text, at) =>
    stored.find((cell) => cell.index === at && cell.text === text),
  );
  const left = stored.filter((cell) => !atPlace.includes(cell));
  return texts.map((text, at) => {
    if (atPlace[at]) return atPlace[at];
    const found = left.findIndex((cell) => cell.text === text);
    return found === -1 ? undefined : left.splice(found, 1)[0];
  });
}

function notebookOf({ notebook }: KeptPlace): string {
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
    typeof cell.text === 'string' &&
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
