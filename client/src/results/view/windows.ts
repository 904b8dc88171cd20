/** Caches blocks of rows from the host, requests missing blocks, and drops the least recently used blocks. */
import type { DrawnCell, DrawnWindow } from '../../answers/protocol.ts';

const blockRows = 200;
const maxBlocks = 12;
/** The maximum number of concurrent requests. When scrolling outpaces the responses, the oldest are cancelled. */
const maxAsked = 4;

export type Window = DrawnWindow & { readonly found: readonly number[] };

type RequestRows = (from: number, to: number, signal: AbortSignal) => Promise<Window>;

export interface DrawnRow {
  readonly number: number;
  readonly cells: readonly DrawnCell[];
  /** The indexes of the cells that match the search; undefined if none match. */
  readonly found: ReadonlySet<number> | undefined;
}

interface Block {
  /** The rows by position; undefined for rows that haven't been received. */
  readonly rows: readonly (DrawnRow | undefined)[];
  /** Whether the block must be requested again. The block is drawn until its new rows arrive. */
  stale: boolean;
}

export class RowBlocks {
  readonly #request: RequestRows;
  readonly #onRows: (rows: number[]) => void;
  #rowCount: number;
  /** Blocks by number, least recently used first. */
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

  /** Returns a row, or undefined if it has not arrived. Requests the block of a missing or stale row. */
  row(row: number): DrawnRow | undefined {
    const number = Math.floor(row / blockRows);
    const block = this.#blocks.get(number);
    if (block === undefined || block.stale) this.#ask(number);
    if (block === undefined) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block.rows[row - number * blockRows];
  }

  /** Drops all blocks, because the order or the row count has changed. */
  clear(rowCount: number): void {
    this.#rowCount = rowCount;
    this.#cancel();
    this.#blocks.clear();
  }

  /** Marks all blocks as stale, so that they are drawn until their new rows arrive. */
  refresh(): void {
    this.#cancel();
    for (const block of this.#blocks.values()) block.stale = true;
  }

  /** Moves the known rows by `by` positions and marks them as stale, because rows were added or removed. */
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
        // The block isn't retried here, because it is requested again when it is next drawn.
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
