/** A worker thread for tests of calls: it computes, streams, waits, and exits when a test asks for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Method } from '../../../client/src/rpc/calls.ts';
import { type Handlers, Transferred } from '../../../client/src/rpc/server.ts';
import { serveParent } from '../../../client/src/rpc/thread.ts';

export interface EchoMethods {
  double: Method<number, number>;
  /** Transfers a buffer back. */
  bytes: Method<ArrayBuffer, ArrayBuffer>;
  /** Counts up to a number, with progress; ends early when it is cancelled. */
  count: Method<number, number, { readonly counted: number }>;
  numbers: Method<number, AsyncIterable<number>>;
  /** The number of items made by the last `numbers` stream, and of all streams that have ended. */
  made: Method<null, { readonly items: number; readonly ended: number }>;
  exit: Method<number, null>;
}

export interface EchoEvents {
  exit: number;
}

let items = 0;
let ended = 0;

const handlers: Handlers<EchoMethods> = {
  double: (number) => {
    if (number < 0) throw new RangeError('Negative.');
    return number * 2;
  },
  bytes: (buffer) => new Transferred(buffer, [buffer]),
  async count(limit, signal, report) {
    for (let counted = 0; counted < limit; counted++) {
      report({ counted });
      await sleep(5);
      signal.throwIfAborted();
    }
    return limit;
  },
  async *numbers(limit) {
    items = 0;
    try {
      for (let number = 0; number < limit; number++) {
        if (number === 13) throw new RangeError('Thirteen.');
        items += 1;
        yield number;
      }
    } finally {
      ended += 1;
    }
  },
  made: () => ({ items, ended }),
  exit: (code) => process.exit(code),
};

serveParent({
  handlers,
  events: { exit: (code: number) => process.exit(code) },
  failureOf: (error, _name, { aborted }) =>
    aborted
      ? { code: 'cancelled', message: 'Cancelled.' }
      : { code: (error as Error).name, message: (error as Error).message },
});
