/** The pages that show the same things: each has a channel, and all are sent the same events. */
import type { HostEvent, HostEventName, PageContract } from '../../webview/contract.ts';
import {
  type EventHandlers,
  HostChannel,
  type Pipe,
  type RequestHandlers,
} from '../../webview/hostChannel.ts';
import type { AnswersHostParts } from './parts.ts';

interface PageHandlers<C extends PageContract> {
  readonly requests: RequestHandlers<C>;
  readonly events: EventHandlers<C>;
}

export class AttachedPages<C extends PageContract> {
  readonly #contract: C;
  readonly #parts: Pick<AnswersHostParts, 'effects' | 'onProblem'>;
  readonly #channels = new Set<HostChannel<C>>();
  /** Called when a page is attached, or none will be. */
  readonly #waiting = new Set<() => void>();

  constructor(contract: C, parts: Pick<AnswersHostParts, 'effects' | 'onProblem'>) {
    this.#contract = contract;
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe, { requests, events }: PageHandlers<C>): { dispose(): void } {
    const channel = new HostChannel({
      contract: this.#contract,
      pipe,
      requests,
      events,
      onFailure: ({ message }) => this.#parts.effects.inform(message),
      onProblem: this.#parts.onProblem,
    });
    this.#channels.add(channel);
    this.#endWaiting();
    return {
      dispose: () => {
        this.#channels.delete(channel);
        channel.dispose();
      },
    };
  }

  /** Resolves when there is a page, at the latest after `maxMs`. */
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
