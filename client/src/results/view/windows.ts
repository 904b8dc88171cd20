/** Blocks of rows that have come from the host, and those on their way; old blocks are dropped. */
import type { DrawnCell, DrawnWindow } from '../../answers/protocol.ts';

const blockRows = 200;
const maxBlocks = 12;
/** Requests at a time; when scrolling is faster than the answers, the oldest are cancelled. */
const maxAsked = 4;

export type Window = DrawnWindow & { readonly found: readonly number[] };

type RequestRows = (from: number, to: number, signal: AbortSignal) => Promise<Window>;

export interface DrawnRow {
  readonly number: number;
  readonly cells: readonly DrawnCell[];
  /** By the index of a cell: whether it matches the search. */
  readonly found: ReadonlySet<number> | undefined;
}

interface Block {
  /** Rows that are not known yet are missing. */
  readonly rows: readonly (DrawnRow | undefined)[];
  /** Whether it has to be asked for again; until the answer is there it is still drawn. */
  stale: boolean;
}

export class RowBlocks {
  readonly #request: RequestRows;
  readonly #onRows: (rows: number[]) => void;
  #rowCount: number;
  /** By block number, the least recently used first. */
  readonly #blocks = new Map<number, Block>();
  readonly #asked = new Map<number, AbortController>();

  constructor(rowCount: number, request: RequestRows, onRows: (rows: number[]) => void) {
    this.#rowCount = rowCount;
    this.#request = request;
    this.#onRows = onRows;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** The row, or undefined while it is on its way; asking for it is part of the call. */
  row(row: number): DrawnRow | undefined {
    const number = Math.floor(row / blockRows);
    const block = this.#blocks.get(number);
    if (block === undefined || block.stale) this.#ask(number);
    if (block === undefined) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block.rows[row - number * blockRows];
  }

  /** Asks for everything again: the order or the number of rows has changed. */
  clear(rowCount: number): void {
    this.#rowCount = rowCount;
    this.#cancel();
    this.#blocks.clear();
  }

  /** Asks for everything again, and draws what there is until then. */
  refresh(): void {
    this.#cancel();
    for (const block of this.#blocks.values()) block.stale = true;
  }

  /** The rows are elsewhere, and there are more or fewer of them: draws what is known until all are asked for. */
  shift(rowCount: number, by: number): void {
    this.#rowCount = rowCount;
    this.#cancel();
    const known = [...this.#blocks].flatMap(([block, { rows }]) =>
      rows.flatMap((row, index) => (row ? [{ row, at: block * blockRows + index + by }] : [])),
    );
    this.#blocks.clear();
    for (const { row, at } of known) {
      if (at < 0 || at >= rowCount) continue;
      const number = Math.floor(at / blockRows);
      const rows = (this.#blocks.get(number)?.rows ?? []) as (DrawnRow | undefined)[];
      rows[at - number * blockRows] = row;
      this.#blocks.set(number, { rows, stale: true });
    }
  }

  dispose(): void {
    this.#cancel();
  }

  #cancel(): void {
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
  }

  #ask(block: number): void {
    if (this.#asked.has(block)) return;
    for (const [oldest, controller] of this.#asked) {
      if (this.#asked.size < maxAsked) break;
      controller.abort();
      this.#asked.delete(oldest);
    }
    const controller = new AbortController();
    this.#asked.set(block, controller);
    const from = block * blockRows;
    const to = Math.min(from + blockRows, this.#rowCount);
    this.#request(from, to, controller.signal).then(
      (window) => {
        if (this.#asked.get(block) !== controller) return;
        this.#asked.delete(block);
        this.#receive(block, window);
      },
      () => {
        // Asked again when it is drawn the next time.
        if (this.#asked.get(block) === controller) this.#asked.delete(block);
      },
    );
  }

  #receive(block: number, { from, rows, numbers, found }: Window): void {
    const foundByRow = new Map<number, Set<number>>();
    const width = rows[0]?.length ?? 0;
    for (const index of found) {
      const row = Math.floor(index / width);
      const cells = foundByRow.get(row) ?? new Set();
      foundByRow.set(row, cells.add(index % width));
    }
    const drawn = rows.map((cells, index) => ({
      cells,
      number: numbers[index] ?? from + index,
      found: foundByRow.get(index),
    }));
    this.#blocks.delete(block);
    this.#blocks.set(block, { rows: drawn, stale: false });
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= maxBlocks) break;
      this.#blocks.delete(oldest);
    }
    this.#onRows(rows.map((_, index) => from + index));
  }
}
