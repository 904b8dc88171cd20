/**
 * Runs a bounded number of tasks at once. The order of waiting tasks may change. A task replaces a former task with the
 * same key, which is aborted.
 */

interface QueuedTask {
  readonly key: string;
  /** Whether the task precedes all others. */
  readonly isFirst?: boolean;
  /** Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Called if the task will not run. */
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

  /** Calls `onChange` when the number of running or waiting tasks has changed. */
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

  /** Puts the tasks with these keys first, in this order. */
  first(keys: readonly string[]): void {
    this.#rank = new Map(keys.map((key, index) => [key, index]));
  }

  /** Aborts and drops all tasks, and starts none until `resume`. */
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
    // An aborted task has already given up its place.
    if (!this.#running.delete(running)) return;
    this.#start();
    this.#onChange();
  }
}
