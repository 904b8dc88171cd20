/**
 * Applies backpressure to ingest: limits the total bytes of requests that have arrived but are not stored yet.
 * Announced bytes don't count, because a body's size may be unknown in advance, and a client that announces a large
 * body but sends nothing must not block others.
 *
 * An arriving body is written to the spool and takes little memory, so the limit is on disk space. At the limit,
 * reading of the bodies pauses, and TCP slows their clients down. Paused bodies can't deadlock by waiting for each
 * other:
 * - The oldest unfinished body of each dataset is never paused. It always ends: it is completed, its client cancels it,
 *   or it is rejected because its client is slower than `BodyPace`. The next body is then the oldest, so every body
 *   ends.
 * - A complete body no longer depends on its client. It is stored, and its bytes no longer count.
 * - The first bytes of each body are always accepted, so a small request is never paused.
 *
 * The total can therefore exceed the limit by one body per dataset, the free bytes of each body, and one chunk of each
 * paused body. Datasets do not starve each other, because each has an oldest body.
 */
export class Arrivals {
  readonly #limit: number;
  readonly #freeBytes: number;
  #bytes = 0;
  /** Unfinished bodies by dataset, oldest first. */
  readonly #unfinished = new Map<string, Set<Arrival>>();
  readonly #waiting = new Set<Arrival>();

  /** `limit` is in bytes. `freeBytes` is the number of bytes accepted from each body even above the limit. */
  constructor(limit: number, freeBytes: number) {
    this.#limit = limit;
    this.#freeBytes = freeBytes;
  }

  /** Number of bytes that have arrived and are not stored yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Registers a new body for a dataset. The caller must call `leave` for it in any case. */
  enter(dataset: string): Arrival {
    const arrival = { dataset, bytes: 0, resume: undefined };
    const others = this.#unfinished.get(dataset);
    if (others === undefined) this.#unfinished.set(dataset, new Set([arrival]));
    else others.add(arrival);
    return arrival;
  }

  /** Counts arrived bytes. Returns a promise if the body must pause. The promise rejects when `signal` aborts. */
  add(arrival: Arrival, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    this.#bytes += bytes;
    arrival.bytes += bytes;
    if (this.#mayProceed(arrival)) return undefined;
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(arrival);
      };
      const giveUp = () => {
        end();
        reject(signal.reason);
      };
      arrival.resume = () => {
        end();
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(arrival);
      if (signal.aborted) giveUp();
    });
  }

  /** Marks a body as complete, so it no longer counts as its dataset's oldest unfinished body. */
  complete(arrival: Arrival): void {
    const others = this.#unfinished.get(arrival.dataset);
    if (others?.delete(arrival) !== true) return;
    if (others.size === 0) this.#unfinished.delete(arrival.dataset);
    this.#resumeWaiting();
  }

  /** Removes a body that was stored or rejected, so that its bytes no longer count. */
  leave(arrival: Arrival): void {
    this.#bytes -= arrival.bytes;
    arrival.bytes = 0;
    this.complete(arrival);
    this.#resumeWaiting();
  }

  #mayProceed(arrival: Arrival): boolean {
    if (this.#bytes <= this.#limit || arrival.bytes <= this.#freeBytes) return true;
    const [oldest] = this.#unfinished.get(arrival.dataset) ?? [];
    return oldest === arrival;
  }

  #resumeWaiting(): void {
    for (const arrival of this.#waiting) if (this.#mayProceed(arrival)) arrival.resume?.();
  }
}

/** A body that is arriving. Only `Arrivals` changes its members. */
export interface Arrival {
  readonly dataset: string;
  /** Number of the body's bytes that have arrived and are not stored yet. */
  bytes: number;
  /** Resumes reading a paused body. Undefined until the body is first paused. */
  resume: (() => void) | undefined;
}
