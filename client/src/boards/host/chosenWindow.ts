// The time range that was chosen on the page of a dashboard or monitor.
import type { TimeRange } from '../../time/timeRange.ts';

/** Holds the chosen range, and the former ranges after a range was selected in a chart. */
export class ChosenWindow {
  readonly #changed: () => void;
  #range: TimeRange | undefined;
  readonly #former: (TimeRange | undefined)[] = [];

  constructor(changed: () => void, range?: TimeRange) {
    this.#changed = changed;
    this.#range = range;
  }

  /** Undefined while the page shows its default range. */
  get range(): TimeRange | undefined {
    return this.#range;
  }

  /** Chooses a range, or the default range. */
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
