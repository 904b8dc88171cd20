/** The page's end of its channel: requests with replies that may be cancelled, and events both ways. */
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
} from '../contract.ts';

/** A request came to nothing; the message is for the person. */
class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: string;

  constructor({ code, message }: PageFailure) {
    super(message);
    this.code = code;
  }
}

/** By the code: a bundle that is loaded later has another class of the same name. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error as Partial<RequestError>).code === 'cancelled';
}

interface VsCodeApi {
  postMessage(message: FromPageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** How messages reach the host and come from it. */
export interface HostLink {
  post(message: FromPageMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Absent where a page has nowhere to keep state. */
  readonly state?: PageState;
}

/** A value as JSON that outlives the page: VS Code discards a page while its view is hidden. */
export interface PageState {
  read(): unknown;
  write(state: unknown): void;
}

/** The link of a page that has a webview to itself. */
export function webviewLink(): HostLink {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    onMessage: (listener) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data)),
    state: { read: () => api.getState(), write: (state) => api.setState(state) },
  };
}

type Handlers<C extends PageContract> = {
  readonly [Name in HostEventName<C>]: (content: HostEvent<C, Name>) => void;
};

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: RequestError) => void;
}

export class PageChannel<C extends PageContract> {
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #link: HostLink | undefined;

  /** Uses another way to the host than that of the page's own webview; before anything else is done. */
  connect(link: HostLink): void {
    this.#link = link;
  }

  get #host(): HostLink {
    this.#link ??= webviewLink();
    return this.#link;
  }

  get state(): PageState | undefined {
    return this.#host.state;
  }

  /** Starts to listen. Messages that are not for a channel, and events without a handler, are ignored. */
  listen(handlers: Partial<Handlers<C>>): void {
    this.#host.onMessage((data) => {
      if (!isMessage(data)) return;
      if (data.kind === 'event') {
        if (!Object.hasOwn(handlers, data.name)) return;
        const handle = handlers[data.name as HostEventName<C>] as (content: unknown) => void;
        return handle(data.content);
      }
      const waiting = this.#waiting.get(data.call);
      if (waiting === undefined) return;
      this.#waiting.delete(data.call);
      if (data.kind === 'reply') waiting.resolve(data.content as never);
      else waiting.reject(new RequestError(data.failure));
    });
  }

  send<Name extends PageEventName<C>>(name: Name, content: PageEvent<C, Name>): void {
    this.#host.post({ kind: 'event', name, content });
  }

  /** Asks the host; rejects with a `RequestError`, also when the signal is aborted. */
  request<Name extends RequestName<C>>(
    name: Name,
    content: RequestParams<C, Name>,
    signal?: AbortSignal,
  ): Promise<RequestReply<C, Name>> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        if (!this.#waiting.delete(call)) return;
        this.#host.post({ kind: 'cancel', call });
        reject(new RequestError({ code: 'cancelled', message: 'Cancelled.' }));
      };
      this.#waiting.set(call, { resolve, reject });
      this.#host.post({ kind: 'request', call, name, content });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }
}

function isMessage(value: unknown): value is ToPageMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, call, name, failure } = value as Partial<Record<string, unknown>>;
  if (kind === 'event') return typeof name === 'string';
  if (!Number.isSafeInteger(call)) return false;
  return (
    kind === 'reply' || (kind === 'failure' && typeof failure === 'object' && failure !== null)
  );
}
