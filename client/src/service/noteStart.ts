// Reports when a request may have been sent. If a request failed before this report, it can be repeated.
import type { Dispatcher } from 'undici';

/** Returns a dispatcher that calls `onStart` when a request is about to be written to an open connection. */
export function notingStart(dispatcher: Dispatcher, onStart: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(...args) {
          onStart();
          handler.onRequestStart?.(...args);
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
}
