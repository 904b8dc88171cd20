/** The host's client of the worker thread that stores the rows of answers. */
import type * as rpc from '../rpc/client.ts';
import { ThreadClient } from '../rpc/thread.ts';
import type {
  MethodName,
  Methods,
  Params,
  Result,
  StoreFailure,
  TaskProgress,
} from './protocol.ts';
import { StoreError } from './storeError.ts';

export type CallOptions = rpc.CallOptions<TaskProgress>;

export class WorkerClient extends ThreadClient<Methods> {
  #isDisposed = false;

  /** `path` is the path of the worker's script. `onCrash` is called after all pending calls have failed. */
  constructor(path: string | URL, onCrash: (message: string) => void) {
    super({
      path,
      name: 'results',
      title: 'The thread that holds the results',
      endedMessage: closed.message,
      errorOf: (failure) => new StoreError(failure as StoreFailure),
      onCrash,
    });
  }

  /** Calls a method. Fails with a `StoreError`; a cancelled call has the code `cancelled`. */
  override call<Name extends MethodName>(
    method: Name,
    params: Params<Name>,
    options?: CallOptions,
  ): Promise<Result<Name>> {
    // Don't start a thread after disposal, because nothing would end it.
    if (this.#isDisposed) return Promise.reject(new StoreError(closed));
    return super.call(method, params, options);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.end();
  }
}

const closed: StoreFailure = { code: 'gone', message: 'The results were closed.' };
