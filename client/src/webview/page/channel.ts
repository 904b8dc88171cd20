/** The page's end of its channel: cancellable requests with replies, and events in both directions. */

import type { CallError } from '../../rpc/calls.ts';
import { Client } from '../../rpc/client.ts';
import type {
  FromPageMessage,
  HostEvent,
  HostEventName,
  PageContract,
  PageEvents,
  PageMethods,
  RequestName,
  RequestParams,
  RequestReply,
} from '../pageContract.ts';

/** Compares error codes, because a bundle that is loaded later has another class with the same name. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error as Partial<CallError>).code === 'cancelled';
}

interface VsCodeApi {
  postMessage(message: FromPageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export interface HostLink {
  post(message: FromPageMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The page's stored state; absent if the page can't store state. */
  readonly state?: PageState;
}

/** A JSON value that outlives the page, which VS Code discards while its view is hidden. */
export interface PageState {
  read(): unknown;
  write(state: unknown): void;
}

/** Returns the link to the host for a page that has its own webview. */
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

export class PageChannel<C extends PageContract> extends Client<PageMethods<C>, PageEvents<C>> {
  #link: HostLink | undefined;

  constructor() {
    super({ cancelsAtOnce: true });
  }

  /** Replaces the link to the page's own webview. Must be called before all other methods. */
  connect(link: HostLink): void {
    this.#link = link;
    link.post({ kind: 'opened' });
  }

  get #host(): HostLink {
    if (this.#link === undefined) this.connect(webviewLink());
    return this.#link as HostLink;
  }

  get state(): PageState | undefined {
    return this.#host.state;
  }

  /** Starts to listen. Ignores messages for other channels, and events without a handler. */
  listen(handlers: Partial<Handlers<C>>): void {
    this.#host.onMessage((data) => this.receive(data, handlers));
  }

  /** Sends a request. Rejects with a `CallError`, even if the signal is aborted. */
  request<Name extends RequestName<C>>(
    name: Name,
    content: RequestParams<C, Name>,
    signal?: AbortSignal,
  ): Promise<RequestReply<C, Name>> {
    return this.call(name, content, { signal });
  }

  protected override post(message: FromPageMessage): void {
    this.#host.post(message);
  }
}
