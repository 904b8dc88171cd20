/** What takes the body of an answer while it arrives: the results store, or a value for small answers. */

import type { AnswerArrival } from '../../../table/src/answer.ts';

/** Takes the body of an answer and makes something of it. */
export interface AnswerSink<T> {
  /**
   * Takes the next bytes and owns the buffer. More follow when it resolves. Rejects with a `SinkFailure` for unusable
   * bodies.
   */
  chunk(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The body is complete. Rejects with a `SinkFailure` where it is not an answer. */
  finish(arrival: AnswerArrival): Promise<T>;
  /** There is no more to come. Called once after anything else has gone wrong, and never after `finish`. */
  abort(): void;
}

/** A sink's failure. The message of an unreadable body completes "The response is not valid:". */
export class SinkFailure extends Error {
  readonly kind: 'unreadable' | 'tooLarge' | 'cancelled';
  constructor(kind: SinkFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
