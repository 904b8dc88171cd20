/** Calls to a worker thread, with the code for both ends. A call starts the thread if it isn't running. */
import { parentPort, Worker } from 'node:worker_threads';
import type { MethodTable, ToServer } from './calls.ts';
import { Client, type ClientOptions } from './client.ts';
import { Server } from './server.ts';

interface ThreadOptions extends Pick<ClientOptions, 'errorOf'> {
  readonly path: string | URL;
  readonly name: string;
  /** The subject of the sentence that reports a crash, such as "The thread that reads files". */
  readonly title: string;
  /** The message of calls that fail because the thread was ended on purpose. */
  readonly endedMessage: string;
  /** Called after all pending calls have failed. */
  readonly onCrash?: (message: string) => void;
  /** The time without calls after which the thread is ended. */
  readonly idleMilliseconds?: number;
}

export class ThreadClient<
  Table extends MethodTable<Table>,
  Events extends object = object,
> extends Client<Table, Events> {
  readonly #thread: ThreadOptions;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    super(options);
    this.#thread = options;
  }

  /** Ends the thread and fails its pending calls. The next call starts another thread. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.failAll({ code: 'gone', message: this.#thread.endedMessage });
    await worker?.terminate();
  }

  protected override post(message: ToServer, transfer: readonly ArrayBuffer[]): void {
    // Ignore other messages without starting a thread: they belong to calls of a thread that has ended.
    if (message.kind === 'request') {
      clearTimeout(this.#idle);
      this.#worker ??= this.#started();
    }
    this.#worker?.postMessage(message, [...transfer]);
  }

  protected override onIdle(): void {
    const { idleMilliseconds } = this.#thread;
    if (idleMilliseconds === undefined || this.#worker === undefined) return;
    this.#idle = setTimeout(() => void this.end(), idleMilliseconds);
    this.#idle.unref();
  }

  #started(): Worker {
    const { path, name } = this.#thread;
    const worker = new Worker(path, { name, execArgv: [] });
    let failure: string | undefined;
    worker.on('message', (message: unknown) => this.receive(message));
    worker.on('error', (error: Error) => {
      failure = error.message;
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#crashed(failure ?? `exit code ${code}`);
    });
    return worker;
  }

  #crashed(why: string): void {
    this.#worker = undefined;
    const message = `${this.#thread.title} ended unexpectedly: ${why}`;
    this.failAll({ code: 'gone', message });
    this.#thread.onCrash?.(message);
  }
}

/** Serves the calls of the parent thread. */
export function serveParent(options: Omit<ConstructorParameters<typeof Server>[0], 'post'>): void {
  const port = parentPort;
  if (port === null) throw new Error('This program is a worker thread of the extension.');
  const server = new Server({
    ...options,
    post: (message, transfer) => port.postMessage(message, [...transfer]),
  });
  port.on('message', (message: unknown) => server.receive(message));
}
