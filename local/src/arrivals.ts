/**
 * Applies backpressure to ingest: limits the total bytes of requests that have arrived but are not stored yet.
 * Announced bytes don't count, because a client may announce a large body but send nothing.
 *
 * Arriving bodies are written to the spool, so the limit is on disk space. At the limit, reading of the bodies pauses,
 * and TCP slows their clients down. Paused bodies can't deadlock:
 * - The oldest unfinished body of each dataset is never paused. It always ends, because `BodyPace` rejects slow
 *   clients. The next body is then the oldest.
 * - A complete body no longer depends on its client. It is stored, and its bytes no longer count.
 * - The first bytes of each body are always accepted, so a small request is never paused.
 *
 * The total can therefore exceed the limit: one body per dataset keeps arriving, complete bodies count until they are
 * stored, and each paused body counts its free bytes and one more chunk.
 */
export class Arrivals {
  readonly #limit: number;
  readonly #freeBytes: number;
  #bytes = 0;
  /** Unfinished bodies by dataset, oldest first. */
  readonly #unfinished = new Map<string, Set<Arrival>>();
  readonly #waiting = new Set<Arrival>();

  /** `freeBytes` is the number of bytes that are always accepted from each body. */
  constructor(limit: number, freeBytes: number) {
    this.#limit = limit;
    this.#freeBytes = freeBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Registers a new body. The caller must always call `leave` for it. */
  enter(dataset: string): Arrival {
    const arrival = { dataset, bytes: 0, resume: undefined };
    const others = this.#unfinished.get(dataset);
    if (others === undefined) this.#unfinished.set(dataset, new Set([arrival]));
    else others.add(arrival);
    return arrival;
  }

  /** Counts arrived bytes. Returns a promise if the body must pause, which rejects when `signal` aborts. */
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

/** Only `Arrivals` changes the members of this object. */
export interface Arrival {
  readonly dataset: string;
  /** Bytes that have arrived and are not stored yet. */
  bytes: number;
  resume: (() => void) | undefined;
}
