/** A call in progress. It yields to other calls, reports progress, and throws when it is cancelled. */
import { setImmediate } from 'node:timers/promises';
import { Cancelled, type LongTask } from '../../../../table/src/rowSource.ts';
import type { Report } from '../../rpc/server.ts';
import type { TaskProgress } from '../protocol.ts';

/** Milliseconds of work between two pauses. A request for a window waits for one such slice of each running task. */
const sliceMilliseconds = 5;

export class Task implements LongTask {
  #until = performance.now() + sliceMilliseconds;
  readonly #signal: AbortSignal;
  readonly #report: Report<TaskProgress>;

  constructor(signal: AbortSignal, report: Report<TaskProgress>) {
    this.#signal = signal;
    this.#report = report;
  }

  get due(): boolean {
    return performance.now() >= this.#until;
  }

  async pause(done: number, total: number): Promise<void> {
    if (total > 0) this.#report({ done, total });
    await setImmediate();
    if (this.#signal.aborted) throw new Cancelled();
    this.#until = performance.now() + sliceMilliseconds;
  }
}
