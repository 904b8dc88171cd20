/** Blocks of rows that have come from the host, and those on their way; old blocks are let go. */
import type { ViewCell } from '../messages.ts';

const blockRows = 200;
const mostBlocks = 40;

export type RequestRows = (from: number, to: number) => void;

export class RowBlocks {
  readonly #request: RequestRows;
  readonly #rowCount: number;
  /** By block number, the least recently used first. */
  readonly #blocks = new Map<number, readonly (readonly ViewCell[])[]>();
  readonly #asked = new Set<number>();

  constructor(rowCount: number, request: RequestRows) {
    this.#rowCount = rowCount;
    this.#request = request;
  }

  /** The row, or undefined while it is on its way; asking for it is part of the call. */
  row(row: number): readonly ViewCell[] | undefined {
    const block = Math.floor(row / blockRows);
    const rows = this.#blocks.get(block);
    if (rows === undefined) {
      this.#ask(block);
      return undefined;
    }
    this.#blocks.delete(block);
    this.#blocks.set(block, rows);
    return rows[row - block * blockRows];
  }

  /** Takes an answer; gives the rows it filled. */
  receive(from: number, rows: readonly (readonly ViewCell[])[]): number[] {
    const block = Math.floor(from / blockRows);
    this.#asked.delete(block);
    this.#blocks.set(block, rows);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= mostBlocks) break;
      this.#blocks.delete(oldest);
    }
    return rows.map((_, index) => from + index);
  }

  /** Forgets everything: the order has changed. */
  clear(): void {
    this.#blocks.clear();
    this.#asked.clear();
  }

  #ask(block: number): void {
    if (this.#asked.has(block)) return;
    this.#asked.add(block);
    const from = block * blockRows;
    this.#request(from, Math.min(from + blockRows, this.#rowCount));
  }
}
