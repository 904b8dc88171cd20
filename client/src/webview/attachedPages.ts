/** The pages that show the same content. Each page has a channel, and all pages receive the same events. */
import {
  type EventHandlers,
  HostChannel,
  type HostChannelOptions,
  type Pipe,
  type RequestHandlers,
} from './hostChannel.ts';
import type { HostEvent, HostEventName, PageContract } from './pageContract.ts';

interface PageHandlers<C extends PageContract> {
  readonly requests: RequestHandlers<C>;
  readonly events: EventHandlers<C>;
}

type PagesOptions<C extends PageContract> = Omit<
  HostChannelOptions<C>,
  'pipe' | keyof PageHandlers<C>
>;

export class AttachedPages<C extends PageContract> {
  readonly #options: PagesOptions<C>;
  readonly #channels = new Set<HostChannel<C>>();
  /** Callbacks to call when a page is attached or this object is disposed of. */
  readonly #waiting = new Set<() => void>();

  constructor(options: PagesOptions<C>) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** Handles a page's messages until the result is disposed of. */
  attach(pipe: Pipe, handlers: PageHandlers<C>): { dispose(): void } {
    const channel = new HostChannel<C>({ ...this.#options, ...handlers, pipe });
    this.#channels.add(channel);
    this.#endWaiting();
    return {
      dispose: () => {
        this.#channels.delete(channel);
        channel.dispose();
      },
    };
  }

  /** Resolves when a page is attached, or after `maxMs`. */
  opened(maxMs: number): Promise<void> {
    if (!this.isEmpty) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, maxMs);
      this.#waiting.add(end);
    });
  }

  send<Name extends HostEventName<C>>(name: Name, content: HostEvent<C, Name>): void {
    for (const channel of this.#channels) channel.send(name, content);
  }

  dispose(): void {
    for (const channel of this.#channels) channel.dispose();
    this.#channels.clear();
    this.#endWaiting();
  }

  #endWaiting(): void {
    for (const end of [...this.#waiting]) end();
  }
}
