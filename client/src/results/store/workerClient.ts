/** The host's end of the worker thread: started at the first call, and again after it has crashed. */
import { Worker } from 'node:worker_threads';
import type { FromWorker, MethodName, Params, Result, ToWorker } from './protocol.ts';
import { StoreError } from './storeError.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** `total` is in the units of the method, such as rows. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Buffers that move to the worker. */
  readonly transfer?: readonly ArrayBuffer[];
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: StoreError) => void;
  readonly onProgress: CallOptions['onProgress'];
}

export class WorkerClient {
  readonly #path: string | URL;
  readonly #onCrash: (message: string) => void;
  #worker: Worker | undefined;
  #isDisposed = false;
  #calls = 0;
  #pending = new Map<number, Pending>();

  /** `path` is the file of the worker; `onCrash` is called after all calls have failed. */
  constructor(path: string | URL, onCrash: (message: string) => void) {
    this.#path = path;
    this.#onCrash = onCrash;
  }

  /** Calls a method. Fails with a `StoreError`; a cancelled call has the code `cancelled`. */
  call<Name extends MethodName>(
    method: Name,
    params: Params<Name>,
    { signal, onProgress, transfer = [] }: CallOptions = {},
  ): Promise<Result<Name>> {
    if (signal?.aborted) return Promise.reject(cancelled());
    // A worker that is started now would be ended by nobody.
    if (this.#isDisposed) return Promise.reject(closed());
    const worker = this.#started();
    const call = ++this.#calls;
    return new Promise<Result<Name>>((resolve, reject) => {
      const cancel = () => worker.postMessage({ type: 'cancel', call } satisfies ToWorker);
      signal?.addEventListener('abort', cancel, { once: true });
      const settled = () => signal?.removeEventListener('abort', cancel);
      this.#pending.set(call, {
        resolve: (result: Result<Name>) => {
          settled();
          resolve(result);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
        onProgress,
      });
      worker.postMessage({ type: 'call', call, method, params } satisfies ToWorker, [...transfer]);
    });
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#path, { name: 'results', execArgv: [] });
    this.#worker = worker;
    let failure: string | undefined;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error: Error) => {
      failure = error.message;
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#crashed(failure ?? `exit code ${code}`);
    });
    return worker;
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.call);
    if (pending === undefined) return;
    if (message.type === 'progress') return pending.onProgress?.(message.done, message.total);
    this.#pending.delete(message.call);
    if (message.type === 'result') pending.resolve(message.result as never);
    else pending.reject(new StoreError(message.failure));
  }

  #crashed(why: string): void {
    this.#worker = undefined;
    const message = `The thread that holds the results ended unexpectedly: ${why}`;
    this.#failAll(message);
    this.#onCrash(message);
  }

  #failAll(message: string): void {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    for (const { reject } of pending) reject(new StoreError({ code: 'gone', message }));
  }

  /** Ends the worker; calls under way fail. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isDisposed = true;
    this.#failAll(closed().message);
    await worker?.terminate();
  }
}

function closed(): StoreError {
  return new StoreError({ code: 'gone', message: 'The results were closed.' });
}

function cancelled(): StoreError {
  return new StoreError({ code: 'cancelled', message: 'Cancelled.' });
}
