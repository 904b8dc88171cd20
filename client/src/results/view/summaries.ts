/** Fetches the summaries of the columns in view one at a time, and shows them under the headers. */
import type { ColumnSummary } from '../../answers/protocol.ts';
import { smallSummary } from './summaryDrawing.ts';
import type { OpenTable } from './table/openTable.ts';

const START_MS = 120;

export class Summaries {
  readonly #open: OpenTable;
  readonly #known = new Map<number, ColumnSummary>();
  #controller = new AbortController();
  #running = false;

  constructor(open: OpenTable) {
    this.#open = open;
  }

  /** Fetches all summaries again after the rows changed. The old summaries stay until they are replaced. */
  reset(): void {
    this.#known.clear();
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#running = false;
    this.draw();
  }

  draw(): void {
    for (const [column, summary] of this.#known) this.#put(column, summary);
    void this.#run(this.#controller.signal);
  }

  dispose(): void {
    this.#controller.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    // Let the rows load first.
    await new Promise((resolve) => setTimeout(resolve, START_MS));
    try {
      while (!signal.aborted) {
        const next = this.#open.grid.columnsInView.find((column) => !this.#known.has(column));
        if (next === undefined) break;
        const summary = await this.#open.summary(next, signal);
        if (signal.aborted) break;
        this.#known.set(next, summary);
        this.#put(next, summary);
      }
    } catch {
      // On an error, the header stays without a summary. The column's panel shows the error.
    } finally {
      if (!signal.aborted) this.#running = false;
    }
  }

  #put(column: number, summary: ColumnSummary): void {
    const { container } = this.#open;
    const place = container.querySelector(`.header-summary[data-column="${column}"]`);
    place?.replaceChildren(...smallSummary(summary));
  }
}
