/** Fetches the summaries of the columns in view, one after another, and puts them under their headers. */
import type { ViewTable } from '../messages.ts';
import type { ColumnSummary } from '../store/protocol.ts';
import { smallSummary } from './summaryDrawing.ts';

const START_MS = 120;

type FetchSummary = (column: number, signal: AbortSignal) => Promise<ColumnSummary>;

export class Summaries {
  readonly #container: HTMLElement;
  readonly #table: ViewTable;
  readonly #fetch: FetchSummary;
  readonly #inView: () => readonly number[];
  readonly #known = new Map<number, ColumnSummary>();
  #controller = new AbortController();
  #running = false;

  constructor(
    container: HTMLElement,
    table: ViewTable,
    inView: () => readonly number[],
    fetch: FetchSummary,
  ) {
    this.#container = container;
    this.#table = table;
    this.#inView = inView;
    this.#fetch = fetch;
  }

  /** The rows have changed; what is under the headers stays until the new summary is there. */
  reset(): void {
    this.#known.clear();
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#running = false;
    this.draw();
  }

  /** Draws what is known, and fetches what is missing of the columns in view. */
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
    // The rows come first.
    await new Promise((resolve) => setTimeout(resolve, START_MS));
    try {
      while (!signal.aborted) {
        const next = this.#inView().find(
          (column) => !this.#known.has(column) && this.#table.columns[column] !== undefined,
        );
        if (next === undefined) break;
        const summary = await this.#fetch(next, signal);
        if (signal.aborted) break;
        this.#known.set(next, summary);
        this.#put(next, summary);
      }
    } catch {
      // A summary that fails leaves the header without one; the panel of the column says why.
    } finally {
      if (!signal.aborted) this.#running = false;
    }
  }

  #put(column: number, summary: ColumnSummary): void {
    const place = this.#container.querySelector(`.header-summary[data-column="${column}"]`);
    place?.replaceChildren(...smallSummary(summary));
  }
}
