// Measures a run's rate over the last seconds, and limits how often progress is reported.
import type { RunProgress } from '../contract.ts';

const WINDOW_MS = 5_000;
const REPORT_MS = 100;

interface Sample {
  readonly at: number;
  readonly events: number;
  readonly bytes: number;
}

export class RateMeter {
  readonly #samples: Sample[] = [];

  add(events: number, bytes: number, at = performance.now()): void {
    this.#samples.push({ at, events, bytes });
    while (this.#samples.length > 2 && (this.#samples[1] as Sample).at < at - WINDOW_MS)
      this.#samples.shift();
  }

  /** Drops earlier samples, for example after a pause. */
  reset(): void {
    const last = this.#samples.pop();
    this.#samples.length = 0;
    if (last) this.#samples.push({ ...last, at: performance.now() });
  }

  rate(bytesLeft: number): Pick<RunProgress, 'eventsPerSecond' | 'secondsLeft'> {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at === first.at) return { eventsPerSecond: 0 };
    const seconds = (last.at - first.at) / 1_000;
    const bytesPerSecond = (last.bytes - first.bytes) / seconds;
    return {
      eventsPerSecond: Math.round((last.events - first.events) / seconds),
      ...(bytesPerSecond > 0 && { secondsLeft: bytesLeft / bytesPerSecond }),
    };
  }
}

/** Calls `report` for changes at most ten times a second, and always with the last state. `now` calls it at once. */
export class Reporter {
  readonly #report: () => void;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(report: () => void) {
    this.#report = report;
  }

  changed(): void {
    if (this.#timer) return;
    const wait = this.#last + REPORT_MS - performance.now();
    if (wait <= 0) this.now();
    else this.#timer = setTimeout(() => this.now(), wait);
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = performance.now();
    this.#report();
  }
}
