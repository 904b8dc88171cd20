/** The client's end of a boundary. It makes calls and keeps track of pending ones. */
import {
  CallError,
  cancelled,
  type Failure,
  type MethodTable,
  type ProgressOf,
  type ToClient,
  type ToServer,
} from './calls.ts';

export interface CallOptions<Progress = unknown> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Buffers to transfer to the other end. */
  readonly transfer?: readonly ArrayBuffer[];
}

export interface ClientOptions {
  /** Creates the error of a failed call. By default, it is a `CallError`. */
  readonly errorOf?: (failure: Failure) => Error;
  /** Whether a cancelled call is rejected at once. Otherwise, it stays pending until the server has ended it. */
  readonly cancelsAtOnce?: boolean;
}

/** Handlers for messages about a pending call. */
interface Answer {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onProgress?: ((progress: never) => void) | undefined;
  onItem?(item: unknown): void;
}

interface Pending extends Answer {
  unsubscribe(): void;
}

type ItemOf<Result> = Result extends AsyncIterable<infer Item> ? Item : never;

export abstract class Client<Table extends MethodTable<Table>, Events extends object = object> {
  readonly #errorOf: (failure: Failure) => Error;
  readonly #cancelsAtOnce: boolean;
  readonly #pending = new Map<number, Pending>();
  /** Starts at a random number, so that a reloaded page ignores replies to the previous page's calls. */
  #calls = Math.floor(Math.random() * 2 ** 50);

  constructor({ errorOf = callError, cancelsAtOnce = false }: ClientOptions = {}) {
    this.#errorOf = errorOf;
    this.#cancelsAtOnce = cancelsAtOnce;
  }

  protected abstract post(message: ToServer, transfer: readonly ArrayBuffer[]): void;

  /** Called when the last pending call has ended. */
  protected onIdle(): void {}

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Calls a method. Rejects with the error of a failure, which has the code `cancelled` after a cancellation. */
  call<Name extends keyof Table & string>(
    name: Name,
    params: Table[Name]['params'],
    options: CallOptions<ProgressOf<Table[Name]>> = {},
  ): Promise<Table[Name]['result']> {
    return new Promise((resolve, reject) => {
      this.#start(name, params, { resolve, reject, onProgress: options.onProgress }, options);
    });
  }

  /** Reads the items of a stream. Leaving the loop cancels the call. */
  async *stream<Name extends keyof Table & string>(
    name: Name,
    params: Table[Name]['params'],
    options: Omit<CallOptions, 'onProgress'> = {},
  ): AsyncGenerator<ItemOf<Table[Name]['result']>, void, void> {
    const items: unknown[] = [];
    let ended: { readonly error?: Error } | undefined;
    let wake = (): void => {};
    const end = (how: { readonly error?: Error }): void => {
      ended = how;
      wake();
    };
    const onItem = (item: unknown): void => {
      items.push(item);
      wake();
    };
    const answer = { resolve: () => end({}), reject: (error: Error) => end({ error }), onItem };
    const call = this.#start(name, params, answer, options);
    try {
      for (;;) {
        if (items.length > 0) {
          if (ended === undefined) this.post({ kind: 'taken', call }, []);
          yield items.shift() as ItemOf<Table[Name]['result']>;
        } else if (ended === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (ended.error === undefined) return;
        else throw ended.error;
      }
    } finally {
      if (this.#settle(call) !== undefined) this.post({ kind: 'cancel', call }, []);
    }
  }

  send<Name extends keyof Events & string>(
    name: Name,
    content: Events[Name],
    transfer: readonly ArrayBuffer[] = [],
  ): void {
    this.post({ kind: 'event', name, content }, transfer);
  }

  /** Handles a message from the other end. Ignores invalid messages, and events without a handler. */
  receive(message: unknown, events: Readonly<Record<string, unknown>> = {}): void {
    const received = message as ToClient | null | undefined;
    switch (received?.kind) {
      case 'event':
        if (Object.hasOwn(events, received.name))
          (events[received.name] as (content: unknown) => void)(received.content);
        return;
      case 'progress':
        return this.#pending.get(received.call)?.onProgress?.(received.content as never);
      case 'item':
        return this.#pending.get(received.call)?.onItem?.(received.content);
      case 'reply':
        return this.#settle(received.call)?.resolve(received.content);
      case 'failure':
        return this.#settle(received.call)?.reject(this.#errorOf(received.failure));
    }
  }

  /** Fails all pending calls, for example after a crash of the other end. */
  failAll(failure: Failure): void {
    for (const call of [...this.#pending.keys()])
      this.#settle(call)?.reject(this.#errorOf(failure));
  }

  #start(
    name: string,
    content: unknown,
    answer: Answer,
    { signal, transfer = [] }: Pick<CallOptions, 'signal' | 'transfer'>,
  ): number {
    this.#calls += 1;
    const call = this.#calls;
    if (signal?.aborted) {
      answer.reject(this.#errorOf(cancelled));
      return call;
    }
    const cancel = (): void => {
      this.post({ kind: 'cancel', call }, []);
      if (this.#cancelsAtOnce) this.#settle(call)?.reject(this.#errorOf(cancelled));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    const unsubscribe = () => signal?.removeEventListener('abort', cancel);
    this.#pending.set(call, { ...answer, unsubscribe });
    try {
      this.post({ kind: 'request', call, name, content }, transfer);
    } catch (error) {
      // Settle the call, because content that can't be cloned is never sent and no reply would arrive.
      this.#settle(call);
      throw error;
    }
    return call;
  }

  #settle(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    if (pending === undefined) return undefined;
    this.#pending.delete(call);
    pending.unsubscribe();
    if (this.isIdle) this.onIdle();
    return pending;
  }
}

function callError({ code, message }: Failure): Error {
  return new CallError(code, message);
}
