// Notes whether a request may have been sent. A request that failed earlier can be repeated.
import type { Dispatcher } from 'undici';

/** Returns a dispatcher that calls `onStart` when a request is about to be written to an open connection. */
export function notingStart(dispatcher: Dispatcher, onStart: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, new NotingHandler(handler, onStart)),
  );
}

class NotingHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onStart: () => void;

  constructor(handler: Dispatcher.DispatchHandler, onStart: () => void) {
    this.#handler = handler;
    this.#onStart = onStart;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#onStart();
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    ...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>
  ): void {
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    ...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>
  ): void {
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}
