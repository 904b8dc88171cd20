/**
 * Loads all rows of an answer page by page, up to a limit of rows and bytes. Loading continues while a page shows
 * another tab. The page requests the progress again when it returns.
 */
import { grouped } from '../../../../formats/src/counts.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { errorMessage } from '../../words/errors.ts';
import type { LoadProgress } from '../pageContent.ts';

const loadBounds = { maxRows: 1_000_000, maxBytes: 1024 ** 3 };

interface AllRowsParts {
  readonly get: (answer: AnswerId) => HeldAnswer | undefined;
  readonly hasMore: (answer: HeldAnswer) => boolean;
  /** Loads a page of rows. Rejects with an error whose message is for the user. */
  readonly loadPage: (answer: HeldAnswer, signal: AbortSignal) => Promise<void>;
  readonly onPage: (answer: AnswerId) => void;
}

interface Load {
  readonly controller: AbortController;
  /** Callbacks to call after each page and at the end. */
  readonly waiting: Set<() => void>;
}

export class AllRows {
  readonly #parts: AllRowsParts;
  readonly #bounds: typeof loadBounds;
  readonly #loads = new Map<AnswerId, Load>();
  readonly #stopped = new Map<AnswerId, string>();

  constructor(parts: AllRowsParts, bounds = loadBounds) {
    this.#parts = parts;
    this.#bounds = bounds;
  }

  isLoading(answer: AnswerId): boolean {
    return this.#loads.has(answer);
  }

  /** Returns the reason why the last load ended before all rows were loaded. */
  stopped(answer: AnswerId): string | undefined {
    return this.#stopped.get(answer);
  }

  /** Loads all remaining rows, unless a load is in progress. Never rejects. */
  async start(answer: AnswerId): Promise<void> {
    if (this.#loads.has(answer)) return;
    const load: Load = { controller: new AbortController(), waiting: new Set() };
    this.#loads.set(answer, load);
    this.#stopped.delete(answer);
    const stopped = await this.#load(answer, load);
    this.#loads.delete(answer);
    if (stopped !== undefined) this.#stopped.set(answer, stopped);
    wake(load);
  }

  cancel(answer: AnswerId): void {
    this.#loads.get(answer)?.controller.abort();
  }

  forget(answer: AnswerId): void {
    this.cancel(answer);
    this.#stopped.delete(answer);
  }

  /** Waits until an answer has more than `known` rows or its load has ended. */
  async progress(answer: AnswerId, known: number, signal: AbortSignal): Promise<LoadProgress> {
    for (;;) {
      const load = this.#loads.get(answer);
      const { rows, total } = this.#counts(answer);
      if (load === undefined || rows > known || signal.aborted)
        return { rows, total, done: load === undefined };
      await new Promise<void>((resolve) => {
        load.waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Returns the reason for stopping early; undefined if all rows are loaded or the answer is gone. */
  async #load(answer: AnswerId, load: Load): Promise<string | undefined> {
    const { signal } = load.controller;
    const { maxRows, maxBytes } = this.#bounds;
    for (;;) {
      const held = this.#parts.get(answer);
      if (held === undefined || !this.#parts.hasMore(held)) return undefined;
      const { rows, total } = this.#counts(answer);
      const share = `${grouped(rows)} of ${grouped(total)} rows`;
      if (signal.aborted) return `Cancelled at ${share}.`;
      if (rows >= maxRows)
        return `Stopped at ${share}: Load All loads at most ${grouped(maxRows)} rows. Add a filter, or load more rows page by page.`;
      if (held.bytes >= maxBytes)
        return `Stopped at ${share}, which take ${Math.round(held.bytes / 1024 ** 2)} MB of memory. Request fewer columns, or load more rows page by page.`;
      try {
        await this.#parts.loadPage(held, signal);
      } catch (error) {
        if (this.#parts.get(answer) === undefined) return undefined;
        if (signal.aborted) return `Cancelled at ${share}.`;
        return `Stopped at ${share}. ${errorMessage(error)}`;
      }
      this.#parts.onPage(answer);
      wake(load);
    }
  }

  #counts(answer: AnswerId): { readonly rows: number; readonly total: number } {
    const head = this.#parts.get(answer)?.head;
    const rows = head?.tables[0]?.rowCount ?? 0;
    return { rows, total: Math.max(rows, head?.status.rowsMatched ?? 0) };
  }
}

function wake({ waiting }: Load): void {
  for (const resolve of waiting) resolve();
  waiting.clear();
}
