/** Runs a limited number of tasks concurrently. A new task aborts and replaces the task with the same key. */

interface QueuedTask {
  readonly key: string;
  /** Whether this task runs before all tasks without this flag. */
  readonly isFirst?: boolean;
  /** Runs the task. Must never reject. */
  run(signal: AbortSignal): Promise<void>;
  /** Called if the task is removed before it starts. */
  dropped?(): void;
}

export class RequestQueue {
  readonly #max: () => number;
  readonly #onChange: () => void;
  readonly #running = new Map<QueuedTask, AbortController>();
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

  /** Moves tasks with these keys to the front, in this order. */
  first(keys: readonly string[]): void {
    this.#rank = new Map(keys.map((key, index) => [key, index]));
  }

  /** Aborts and drops all tasks. No task starts until `resume` is called. */
  pause(): void {
    this.#isPaused = true;
    this.clear();
  }

  resume(): void {
    this.#isPaused = false;
    this.#start();
  }

  cancel(key: string): void {
    this.#drop((task) => task.key === key);
  }

  clear(): void {
    this.#drop(() => true);
    this.#onChange();
  }

  #drop(isDropped: (task: QueuedTask) => boolean): void {
    const dropped = this.#waiting.filter(isDropped);
    this.#waiting = this.#waiting.filter((task) => !isDropped(task));
    for (const task of dropped) task.dropped?.();
    for (const [task, controller] of [...this.#running]) {
      if (!isDropped(task)) continue;
      this.#running.delete(task);
      controller.abort();
    }
  }

  #start(): void {
    while (!this.#isPaused && this.#running.size < this.#max()) {
      const task = this.#next();
      if (task === undefined) return;
      void this.#run(task);
    }
  }

  #next(): QueuedTask | undefined {
    const rank = ({ key, isFirst }: QueuedTask) =>
      isFirst ? -1 : (this.#rank.get(key) ?? Number.POSITIVE_INFINITY);
    const ranks = this.#waiting.map(rank);
    return this.#waiting.splice(ranks.indexOf(Math.min(...ranks)), 1)[0];
  }

  async #run(task: QueuedTask): Promise<void> {
    const controller = new AbortController();
    this.#running.set(task, controller);
    await task.run(controller.signal);
    // Skip an aborted task, because it was already removed from `#running`.
    if (controller.signal.aborted) return;
    this.#running.delete(task);
    this.#start();
    this.#onChange();
  }
}
