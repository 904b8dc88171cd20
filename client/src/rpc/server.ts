/** The server's end of a boundary. It answers each call once, and aborts calls that the client cancels. */
import {
  cancelled,
  type Failure,
  isToServer,
  itemsAhead,
  type MethodTable,
  type ProgressOf,
  type ToClient,
  type ToServer,
} from './calls.ts';

/** The maximum number of concurrent calls from an untrusted client. */
const maxCalls = 200;
const progressMilliseconds = 100;

/** A result or an item, with buffers to transfer to the other end. */
export class Transferred<Value> {
  readonly value: Value;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: Value, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

type Sent<Value> = Value | Transferred<Value>;
type Answer<Result> = [Result] extends [AsyncIterable<infer Item>]
  ? AsyncIterable<Sent<Item>>
  : Sent<Result> | Promise<Sent<Result>>;

/** Reports a call's progress. The client gets at most ten reports per second. */
export type Report<Progress> = (progress: Progress) => void;

export type Handlers<Table extends MethodTable<Table>> = {
  readonly [Name in keyof Table]: (
    params: Table[Name]['params'],
    signal: AbortSignal,
    report: Report<ProgressOf<Table[Name]>>,
  ) => Answer<Table[Name]['result']>;
};

type Checks = Readonly<Record<string, (content: unknown) => boolean>>;

interface ServerOptions {
  readonly handlers: object;
  readonly events?: object;
  post(message: ToClient, transfer: readonly ArrayBuffer[]): void;
  /** Returns the failure to send for an error. `signal` is aborted if the call was cancelled. */
  failureOf(error: unknown, name: string, signal: AbortSignal): Failure;
  readonly onEventError?: (error: unknown, name: string) => void;
  /** Checks for an untrusted client's messages; absent for a trusted client. Messages that fail a check are refused. */
  readonly untrusted?: {
    readonly request: Checks;
    readonly event: Checks;
    onRefused(reason: string): void;
  };
}

interface Running {
  readonly controller: AbortController;
  /** The number of items that may be posted before the client must consume another item. */
  credit: number;
  /** Wakes a stream that is waiting for credit, after more credit arrives or the call ends. */
  wake(): void;
}

export class Server {
  readonly #options: ServerOptions;
  readonly #running = new Map<number, Running>();
  #isClosed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  receive(message: unknown): void {
    if (!isToServer(message)) return this.#refuse('it is malformed');
    if (message.kind === 'request') return void this.#serve(message);
    if (message.kind === 'event') return void this.#handleEvent(message);
    if (message.kind === 'opened') return this.#cancelAll();
    const running = this.#running.get(message.call);
    if (running === undefined) return;
    if (message.kind === 'cancel') running.controller.abort();
    else running.credit += 1;
    running.wake();
  }

  send(name: string, content: unknown): void {
    this.#post({ kind: 'event', name, content });
  }

  /** Cancels the calls in progress. Nothing is posted afterwards. */
  dispose(): void {
    this.#isClosed = true;
    this.#cancelAll();
  }

  #cancelAll(): void {
    for (const { controller, wake } of this.#running.values()) {
      controller.abort();
      wake();
    }
    this.#running.clear();
  }

  async #handleEvent(message: Extract<ToServer, { kind: 'event' }>): Promise<void> {
    const { events = {}, onEventError } = this.#options;
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) return this.#refuse(refusal);
    const { name, content } = message;
    try {
      await functionOf(events, name)(content);
    } catch (error) {
      onEventError?.(error, name);
    }
  }

  async #serve(message: Extract<ToServer, { kind: 'request' }>): Promise<void> {
    const { handlers, failureOf } = this.#options;
    const { call, name, content } = message;
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      this.#fail(call, { code: 'refused', message: `The request was refused: ${refusal}.` });
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const running: Running = { controller, credit: itemsAhead, wake: () => {} };
    this.#running.set(call, running);
    try {
      const result = await functionOf(handlers, name)(content, signal, this.#reportOf(call));
      if (isStream(result)) await this.#stream(call, result, running);
      else this.#postContent('reply', call, result);
    } catch (error) {
      this.#fail(call, failureOf(error, name, signal));
    } finally {
      this.#running.delete(call);
    }
  }

  async #stream(call: number, items: AsyncIterable<unknown>, running: Running): Promise<void> {
    const { signal } = running.controller;
    for await (const item of items) {
      while (running.credit === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          running.wake = resolve;
        });
      if (signal.aborted) return this.#fail(call, cancelled);
      running.credit -= 1;
      this.#postContent('item', call, item);
    }
    this.#postContent('reply', call, null);
  }

  #reportOf(call: number): Report<unknown> {
    let postedAt = performance.now();
    return (content) => {
      if (performance.now() - postedAt < progressMilliseconds) return;
      postedAt = performance.now();
      this.#post({ kind: 'progress', call, content });
    };
  }

  #refusalOf(message: Extract<ToServer, { kind: 'request' | 'event' }>): string | undefined {
    const { untrusted } = this.#options;
    if (untrusted === undefined) return undefined;
    const { kind, name, content } = message;
    const check = Object.hasOwn(untrusted[kind], name) ? untrusted[kind][name] : undefined;
    if (check === undefined) return `there is no ${kind} “${name.slice(0, 100)}”`;
    if (!check(content)) return `the content of the ${kind} “${name}” is malformed`;
    if (kind === 'event') return undefined;
    const isTooMany = this.#running.has(message.call) || this.#running.size >= maxCalls;
    return isTooMany ? 'too many requests are under way' : undefined;
  }

  #refuse(reason: string): void {
    this.#options.untrusted?.onRefused(reason);
  }

  #fail(call: number, failure: Failure): void {
    this.#post({ kind: 'failure', call, failure });
  }

  #postContent(kind: 'reply' | 'item', call: number, result: unknown): void {
    if (result instanceof Transferred)
      this.#post({ kind, call, content: result.value }, result.buffers);
    else this.#post({ kind, call, content: result ?? null });
  }

  #post(message: ToClient, transfer: readonly ArrayBuffer[] = []): void {
    if (!this.#isClosed) this.#options.post(message, transfer);
  }
}

/** Returns the function with a given name, without its static type. */
function functionOf(table: object, name: string): (...args: unknown[]) => unknown {
  return (table as Readonly<Record<string, (...args: unknown[]) => unknown>>)[name] as never;
}

function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
