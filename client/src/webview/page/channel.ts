/** The page's end of its channel: requests with replies that may be cancelled, and events both ways. */

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

/** By the code: a bundle that is loaded later has another class of the same name. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error as Partial<CallError>).code === 'cancelled';
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

export class PageChannel<C extends PageContract> extends Client<PageMethods<C>, PageEvents<C>> {
  #link: HostLink | undefined;

  constructor() {
    super({ cancelsAtOnce: true });
  }

  /** Uses another way to the host than that of the page's own webview; before anything else is done. */
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

  /** Starts to listen. Messages that are not for a channel, and events without a handler, are ignored. */
  listen(handlers: Partial<Handlers<C>>): void {
    this.#host.onMessage((data) => this.receive(data, handlers));
  }

  /** Asks the host; rejects with a `CallError`, also when the signal is aborted. */
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
