/** What takes the body of an answer while it arrives: the results store, or a value for small answers. */

/** Facts about an answer other than its body. */
export interface Arrival {
  /** From sending to having everything, in milliseconds. */
  readonly roundTripMilliseconds: number;
  readonly traceId?: string;
  /** The service's identifier of the query in its own history. */
  readonly historyId?: string;
  /** Notices about the request's route as the service sends them, in addition to its own. */
  readonly notices?: readonly {
    readonly code: string;
    readonly priority: 'info';
    readonly msg: string;
  }[];
}

/** Takes the body of an answer and makes something of it. */
export interface AnswerSink<T> {
  /**
   * Takes the next bytes and owns the buffer. More follow when it resolves. Rejects with a `SinkFailure` for unusable
   * bodies.
   */
  chunk(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The body is complete. Rejects with a `SinkFailure` where it is not an answer. */
  finish(arrival: Arrival): Promise<T>;
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
