/** A call that is under way: it gives way to others, reports progress, and ends when it is cancelled. */
import { setImmediate } from 'node:timers/promises';
import { Cancelled, type LongTask } from '../rowSource.ts';

/** Milliseconds of work between two pauses. A window waits for as many of these as tasks are under way. */
const sliceMilliseconds = 8;
const progressMilliseconds = 100;

export class Task implements LongTask {
  #until = performance.now() + sliceMilliseconds;
  #reported = performance.now();
  #asked = 0;
  #isCancelled = false;
  readonly #report: (done: number, total: number) => void;

  constructor(report: (done: number, total: number) => void) {
    this.#report = report;
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  /** Reading the clock costs more than a row of most tasks, so it is read at every fourth question. */
  get due(): boolean {
    return (++this.#asked & 3) === 0 && performance.now() >= this.#until;
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
