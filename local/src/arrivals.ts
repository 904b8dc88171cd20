/**
 * Limits the bytes of ingest requests that have arrived but are not stored yet. Bytes count as they arrive: the size
 * of a body is unknown, and a client that announces a large body and sends nothing must not block others.
 *
 * An arriving body takes little memory, because it is written to the spool, so the limit is one of disk space. When
 * it is reached, bodies wait for room in the middle, and TCP slows the clients down. Several half-received bodies
 * can't deadlock by waiting for each other's room:
 *
 * - The oldest unfinished body of each dataset never waits. It always ends: it is complete, its client cancels it, or
 *   it is rejected because its client is slower than `BodyPace`. The next body is then the oldest, so every body
 *   ends.
 * - A complete body depends on no client any more. It is stored, and its room is freed.
 * - The first bytes of each body need no room, so a small request never waits.
 *
 * The bytes can therefore exceed the limit by one body per dataset, the free bytes of each body, and one piece of
 * each waiting body. Datasets do not starve each other, because each has an oldest body.
 */
export class Arrivals {
  readonly #limit: number;
  readonly #freeBytes: number;
  #bytes = 0;
  /** Unfinished bodies by dataset, oldest first. */
  readonly #unfinished = new Map<string, Set<Arrival>>();
  readonly #waiting = new Set<Arrival>();

  /** `limit`: in bytes. `freeBytes`: the bytes that each body may have regardless. */
  constructor(limit: number, freeBytes: number) {
    this.#limit = limit;
    this.#freeBytes = freeBytes;
  }

  /** Number of bytes that have arrived and are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Starts a body for a dataset. The caller must always end it with `leave`. */
  enter(dataset: string): Arrival {
    const arrival = { dataset, bytes: 0, resume: undefined };
    const others = this.#unfinished.get(dataset);
    if (others === undefined) this.#unfinished.set(dataset, new Set([arrival]));
    else others.add(arrival);
    return arrival;
  }

  /** Counts arrived bytes. Returns a promise if the body must wait, which rejects when `signal` aborts. */
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

  /** Marks a body as complete: from now on it depends on no client. */
  complete(arrival: Arrival): void {
    const others = this.#unfinished.get(arrival.dataset);
    if (others?.delete(arrival) !== true) return;
    if (others.size === 0) this.#unfinished.delete(arrival.dataset);
    this.#resumeWaiting();
  }

  /** Ends a body that was stored or rejected, and frees its bytes. */
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

/** An arriving body. Only `Arrivals` changes it. */
export interface Arrival {
  readonly dataset: string;
  /** Number of bytes of the body that have arrived and are held. */
  bytes: number;
  /** Resumes reading while the body waits. */
  resume: (() => void) | undefined;
}
