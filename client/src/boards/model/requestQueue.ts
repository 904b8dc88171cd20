/**
 * Runs tasks in an order that may change while they wait, no more at once than a bound. A task is identified by its
 * key: one that is put again replaces the former, which is aborted.
 */

interface QueuedTask {
  readonly key: string;
  /** Whether it precedes all others, whatever their order. */
  readonly isFirst?: boolean;
  /** Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** It is not going to be run. */
  dropped?(): void;
}

interface Running {
  readonly task: QueuedTask;
  readonly controller: AbortController;
}

export class RequestQueue {
  readonly #max: () => number;
  readonly #onChange: () => void;
  readonly #running = new Set<Running>();
  #waiting: QueuedTask[] = [];
  #rank: ReadonlyMap<string, number> = new Map();
  #isPaused = false;

  /** `onChange` is called when the number of running or waiting tasks has changed. */
  constructor(max: () => number, onChange: () => void = () => undefined) {
    this.#max = max;
    this.#onChange = onChange;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  put(task: QueuedTask): void {
    this.cancel(task.key);
    this.#waiting.push(task);
    this.#start();
    this.#onChange();
  }

  /** Tasks with these keys come first, in this order. */
  first(keys: readonly string[]): void {
    this.#rank = new Map(keys.map((key, index) => [key, index]));
  }

  /** Aborts what runs, drops what waits, and starts nothing until it is resumed. */
  pause(): void {
    this.#isPaused = true;
    this.clear();
  }

  resume(): void {
    this.#isPaused = false;
    this.#start();
  }

  cancel(key: string): void {
    const dropped = this.#waiting.filter((task) => task.key === key);
    this.#waiting = this.#waiting.filter((task) => task.key !== key);
    for (const task of dropped) task.dropped?.();
    for (const running of [...this.#running]) if (running.task.key === key) this.#abort(running);
  }

  clear(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    for (const task of dropped) task.dropped?.();
    for (const running of [...this.#running]) this.#abort(running);
    this.#onChange();
  }

  #abort(running: Running): void {
    this.#running.delete(running);
    running.controller.abort();
  }

  #start(): void {
    while (!this.#isPaused && this.#running.size < this.#max()) {
      const task = this.#next();
      if (task === undefined) return;
      void this.#run({ task, controller: new AbortController() });
    }
  }

  #next(): QueuedTask | undefined {
    const rank = ({ key, isFirst }: QueuedTask) =>
      isFirst ? -1 : (this.#rank.get(key) ?? Number.POSITIVE_INFINITY);
    let best = 0;
    this.#waiting.forEach((task, index) => {
      if (rank(task) < rank(this.#waiting[best] as QueuedTask)) best = index;
    });
    return this.#waiting.splice(best, 1)[0];
  }

  async #run(running: Running): Promise<void> {
    this.#running.add(running);
    await running.task.run(running.controller.signal);
    // One that was aborted has given up its place already.
    if (!this.#running.delete(running)) return;
    this.#start();
    this.#onChange();
  }
}
