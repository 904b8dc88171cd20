// The range that the page of a dashboard or of a monitor shows.

import type { TimeRange } from '../../timeRange.ts';

/** The window that a person has chosen on a page, and the way back from those that were chosen in a chart. */
export class ChosenWindow {
  readonly #changed: () => void;
  #range: TimeRange | undefined;
  readonly #former: (TimeRange | undefined)[] = [];

  constructor(changed: () => void, range?: TimeRange) {
    this.#changed = changed;
    this.#range = range;
  }

  /** Undefined where the page shows its own window. */
  get range(): TimeRange | undefined {
    return this.#range;
  }

  /** Without a range the page shows its own window again. */
  choose(range: TimeRange | undefined): void {
    this.#former.length = 0;
    this.#set(range);
  }

  chooseInChart(range: TimeRange): void {
    this.#former.push(this.#range);
    this.#set(range);
  }

  get canGoBack(): boolean {
    return this.#former.length > 0;
  }

  goBack(): void {
    if (this.canGoBack) this.#set(this.#former.pop());
  }

  #set(range: TimeRange | undefined): void {
    this.#range = range;
    this.#changed();
  }
}
