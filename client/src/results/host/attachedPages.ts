/** The pages that show the same content. Each page has a channel, and all pages receive the same events. */

import {
  type EventHandlers,
  HostChannel,
  type Pipe,
  type RequestHandlers,
} from '../../webview/hostChannel.ts';
import type { HostEvent, HostEventName } from '../../webview/pageContract.ts';
import { type ResultsContract, resultsContract } from '../resultsContract.ts';
import type { AnswersHostParts } from './parts.ts';

interface PageHandlers {
  readonly requests: RequestHandlers<ResultsContract>;
  readonly events: EventHandlers<ResultsContract>;
}

export class AttachedPages {
  readonly #parts: Pick<AnswersHostParts, 'effects' | 'onProblem'>;
  readonly #channels = new Set<HostChannel<ResultsContract>>();
  /** Callbacks to call when a page is attached or this object is disposed of. */
  readonly #waiting = new Set<() => void>();

  constructor(parts: Pick<AnswersHostParts, 'effects' | 'onProblem'>) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  attach(pipe: Pipe, handlers: PageHandlers): { dispose(): void } {
    const channel = new HostChannel({
      contract: resultsContract,
      pipe,
      ...handlers,
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

  send<Name extends HostEventName<ResultsContract>>(
    name: Name,
    content: HostEvent<ResultsContract, Name>,
  ): void {
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
