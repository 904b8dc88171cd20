/** Receivers of an answer's body while it arrives: the results store, or a value for small answers. */

/** A chunk of a body. Its buffer is shared, so that another thread can read it without a copy or a transfer. */
export type Chunk = Uint8Array<SharedArrayBuffer>;

/** An answer's metadata that isn't in its body. */
export interface Arrival {
  /** Milliseconds from sending the request to receiving the complete body. */
  readonly roundTripMilliseconds: number;
  readonly traceId?: string;
  /** The query's identifier in the service's history. */
  readonly historyId?: string;
  /** Notices about the request's route, in the format of the service's own notices. */
  readonly notices?: readonly {
    readonly code: string;
    readonly priority: 'info';
    readonly msg: string;
  }[];
}

/** Receives an answer's body and converts it to a result. */
export interface AnswerSink<T> {
  /**
   * Receives the next bytes and owns the buffer. Resolves when it can accept more, with an earlier chunk's buffer to
   * reuse if there is one. Rejects with a `SinkFailure`.
   */
  chunk(bytes: Chunk): Promise<SharedArrayBuffer | undefined>;
  /** Called after the last bytes. Rejects with a `SinkFailure` if the body isn't a valid answer. */
  finish(arrival: Arrival): Promise<T>;
  /** Called once after any failure other than that of `finish`, and never after `finish`. */
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
