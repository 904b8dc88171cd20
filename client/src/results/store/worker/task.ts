/** A call in progress: it yields to others, reports progress, and ends when it is cancelled. */
import { setImmediate } from 'node:timers/promises';
import { Cancelled, type LongTask } from '../rowSource.ts';

/** Milliseconds of work between two pauses. A window waits for as many of these as tasks are under way. */
const sliceMilliseconds = 5;
const progressMilliseconds = 100;

export class Task implements LongTask {
  #until = performance.now() + sliceMilliseconds;
  #reported = performance.now();
  #isCancelled = false;
  readonly #report: (done: number, total: number) => void;

  constructor(report: (done: number, total: number) => void) {
    this.#report = report;
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  get due(): boolean {
    return performance.now() >= this.#until;
  }

  async pause(done: number, total: number): Promise<void> {
    if (total > 0 && performance.now() - this.#reported > progressMilliseconds) {
      this.#reported = performance.now();
      this.#report(done, total);
    }
    await setImmediate();
    if (this.#isCancelled) throw new Cancelled();
    this.#until = performance.now() + sliceMilliseconds;
  }
}
