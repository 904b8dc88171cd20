/**
 * The host's end of a page's channel. A page shows foreign text, so its messages aren't trusted. Messages that violate
 * the contract and too many concurrent requests are refused.
 */
import { CallError, cancelled } from '../rpc/calls.ts';
import { Server } from '../rpc/server.ts';
import type {
  HostEvent,
  HostEventName,
  PageContract,
  PageEvents,
  RequestName,
  RequestParams,
  RequestReply,
  ToPageMessage,
} from './pageContract.ts';

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
  readonly [Name in keyof PageEvents<C>]: (content: PageEvents<C>[Name]) => unknown;
};

export { CallError as RequestFailed };

export interface HostChannelOptions<C extends PageContract> {
  readonly contract: C;
  readonly pipe: Pipe;
  readonly requests: RequestHandlers<C>;
  readonly events: EventHandlers<C>;
  /** Called if an event failed for a reason that may be shown to the user. By default, calls `onProblem`. */
  readonly onFailure?: (failure: CallError) => void;
  /** Called if a message was refused or a handler failed unexpectedly. */
  readonly onProblem: (problem: string) => void;
}

export class HostChannel<C extends PageContract> {
  readonly #server: Server;
  readonly #subscription: { dispose(): unknown };

  constructor(options: HostChannelOptions<C>) {
    const { contract, pipe, requests, events, onProblem } = options;
    const { onFailure = ({ message }) => onProblem(message) } = options;
    const report = (name: string, error: unknown): void =>
      onProblem(`${name} failed: ${error instanceof Error ? error.stack : error}`);
    const rows = Object.entries(contract.requests);
    this.#server = new Server({
      handlers: requests,
      events,
      post: (message) => pipe.post(message),
      failureOf: (error, name, signal) => {
        if (signal.aborted) return cancelled;
        if (error instanceof CallError) return { code: error.code, message: error.message };
        report(name, error);
        return internal;
      },
      onEventError: (error, name) => {
        if (error instanceof CallError) onFailure(error);
        else report(name, error);
      },
      untrusted: {
        request: Object.fromEntries(rows.map(([name, { params }]) => [name, params])),
        event: contract.fromPage,
        onRefused: (reason) => onProblem(`A message of the page was refused: ${reason}.`),
      },
    });
    this.#subscription = pipe.onMessage((message) => this.#server.receive(message));
  }

  send<Name extends HostEventName<C>>(name: Name, content: HostEvent<C, Name>): void {
    this.#server.send(name, content);
  }

  /** Cancels the page's requests. Nothing is posted afterwards. */
  dispose(): void {
    this.#subscription.dispose();
    this.#server.dispose();
  }
}

const internal = {
  code: 'internal',
  message: 'An internal error occurred. The log has the details.',
};
