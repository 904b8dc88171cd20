/**
 * The host's end of a page's channel. A page shows foreign text, so nothing it sends is trusted: a message
 * that its contract does not describe is refused, and so are more requests at a time than a page needs.
 */
import type {
  FromPageMessage,
  HostEvent,
  HostEventName,
  PageContract,
  PageEvent,
  PageEventName,
  PageFailure,
  RequestName,
  RequestParams,
  RequestReply,
  ToPageMessage,
} from './contract.ts';

const maxRequests = 200;

/** How messages reach a page and come from it. */
export interface Pipe {
  post(message: ToPageMessage): void;
  onMessage(listener: (message: unknown) => void): { dispose(): unknown };
}

export type RequestHandlers<C extends PageContract> = {
  readonly [Name in RequestName<C>]: (
    params: RequestParams<C, Name>,
    signal: AbortSignal,
  ) => RequestReply<C, Name> | Promise<RequestReply<C, Name>>;
};

export type EventHandlers<C extends PageContract> = {
  readonly [Name in PageEventName<C>]: (content: PageEvent<C, Name>) => unknown;
};

/** A failure that the person may read; the message of any other error stays in the log. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface HostChannelOptions<C extends PageContract> {
  readonly contract: C;
  readonly pipe: Pipe;
  readonly requests: RequestHandlers<C>;
  readonly events: EventHandlers<C>;
  /** An event came to nothing for a reason that the person may read. */
  readonly onFailure: (failure: RequestFailed) => void;
  /** A message was refused, or a handler failed. */
  readonly onProblem: (problem: string) => void;
}

export class HostChannel<C extends PageContract> {
  readonly #options: HostChannelOptions<C>;
  readonly #running = new Map<number, AbortController>();
  readonly #subscription: { dispose(): unknown };
  #closed = false;

  constructor(options: HostChannelOptions<C>) {
    this.#options = options;
    this.#subscription = options.pipe.onMessage((message) => this.#receive(message));
  }

  send<Name extends HostEventName<C>>(name: Name, content: HostEvent<C, Name>): void {
    this.#post({ kind: 'event', name, content });
  }

  /** Cancels what the page has asked for; nothing is posted afterwards. */
  dispose(): void {
    this.#closed = true;
    this.#subscription.dispose();
    this.#cancelAll();
  }

  #cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #receive(message: unknown): void {
    if (!isMessage(message)) return this.#refuse('it is not a message of a page');
    if (message.kind === 'cancel') return this.#running.get(message.call)?.abort();
    const { name, content } = message;
    if (message.kind === 'request') return void this.#answer(message.call, name, content);
    const { contract, events } = this.#options;
    const check = Object.hasOwn(contract.fromPage, name) ? contract.fromPage[name] : undefined;
    if (check === undefined) return this.#refuse(`there is no event “${name.slice(0, 100)}”`);
    if (!check(content)) return this.#refuse(`the content of “${name}” is malformed`);
    // The table of handlers has a function for each event; its type is lost in the lookup.
    const handle = events[name] as (content: unknown) => unknown;
    void (async () => handle(content))().catch((error: unknown) => {
      if (error instanceof RequestFailed) this.#options.onFailure(error);
      else this.#report(name, error);
    });
  }

  async #answer(call: number, name: string, content: unknown): Promise<void> {
    const { contract, requests } = this.#options;
    const row = Object.hasOwn(contract.requests, name) ? contract.requests[name] : undefined;
    const refusal =
      row === undefined
        ? `there is no request “${name.slice(0, 100)}”`
        : !row.params(content)
          ? `the parameters of “${name}” are malformed`
          : this.#running.has(call) || this.#running.size >= maxRequests
            ? 'too many requests are under way'
            : undefined;
    if (refusal !== undefined) {
      this.#refuse(refusal);
      this.#fail(call, { code: 'refused', message: `The request was refused: ${refusal}.` });
      return;
    }
    const controller = new AbortController();
    this.#running.set(call, controller);
    try {
      const handle = requests[name] as (params: unknown, signal: AbortSignal) => unknown;
      const reply = await handle(content, controller.signal);
      if (controller.signal.aborted) this.#fail(call, cancelled);
      else this.#post({ kind: 'reply', call, content: reply ?? null });
    } catch (error) {
      if (controller.signal.aborted) this.#fail(call, cancelled);
      else if (error instanceof RequestFailed)
        this.#fail(call, { code: error.code, message: error.message });
      else {
        this.#report(name, error);
        this.#fail(call, {
          code: 'internal',
          message: 'An internal error occurred. The log has the details.',
        });
      }
    } finally {
      this.#running.delete(call);
    }
  }

  #fail(call: number, failure: PageFailure): void {
    this.#post({ kind: 'failure', call, failure });
  }

  #refuse(reason: string): void {
    this.#options.onProblem(`A message of the page was refused: ${reason}.`);
  }

  #report(name: string, error: unknown): void {
    this.#options.onProblem(`${name} failed: ${error instanceof Error ? error.stack : error}`);
  }

  #post(message: ToPageMessage): void {
    if (!this.#closed) this.#options.pipe.post(message);
  }
}

const cancelled: PageFailure = { code: 'cancelled', message: 'Cancelled.' };

function isMessage(value: unknown): value is FromPageMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, call, name } = value as Partial<Record<string, unknown>>;
  if (kind === 'event') return typeof name === 'string';
  if (!Number.isSafeInteger(call)) return false;
  return kind === 'cancel' || (kind === 'request' && typeof name === 'string');
}
