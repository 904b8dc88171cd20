/** Measures how many events arrive per second over the latest answers. */

const WINDOW_MS = 15_000;

export class Rate {
  #counts: { readonly at: number; readonly events: number }[] = [];

  /** Adds the number of events since the last call to `add` or `restart`. */
  add(at: number, events: number): void {
    this.#counts.push({ at, events });
    while (this.#counts.length > 2 && (this.#counts[1]?.at ?? at) <= at - WINDOW_MS)
      this.#counts.shift();
  }

  /** Restarts the measurement. Events before `at`, such as those that existed at the start, aren't counted. */
  restart(at: number): void {
    this.#counts = [{ at, events: 0 }];
  }

  /** Events per second; undefined before the second measurement. */
  get perSecond(): number | undefined {
    const [first] = this.#counts;
    const last = this.#counts.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return undefined;
    const events = this.#counts.slice(1).reduce((sum, count) => sum + count.events, 0);
    return (events * 1_000) / (last.at - first.at);
  }
}
