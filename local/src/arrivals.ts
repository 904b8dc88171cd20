/**
 * Applies backpressure to ingest: limits the total bytes of requests that have arrived but are not stored yet.
 * Announced bytes don't count, because a client may announce a large body but send nothing.
 *
 * Arriving bodies are written to the spool, so the limit is on disk space. At the limit, reading of the bodies pauses,
 * and TCP slows their clients down. Paused bodies can't deadlock:
 * - A complete body no longer depends on its client. It is stored, and its bytes no longer count.
 * - A dataset's oldest unfinished body is paused only while the dataset's complete bodies have more bytes than its
 *   unfinished ones. Otherwise it proceeds, and always ends, because `BodyPace` rejects slow clients.
 *   Small bodies that keep arriving can't delay it.
 * - The first bytes of each body are always accepted, so a small request is never paused.
 *
 * The total can therefore exceed the limit: by two bodies per dataset, one complete and one unfinished, and by the free
 * bytes and one more chunk of each paused body.
 */
export class Arrivals {
  readonly #limit: number;
  readonly #freeBytes: number;
  #bytes = 0;
  readonly #byDataset = new Map<string, Bodies>();
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
    const bodies = this.#byDataset.get(dataset) ?? { unfinished: new Set(), complete: new Set() };
    this.#byDataset.set(dataset, bodies);
    bodies.unfinished.add(arrival);
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

  /** Marks a body as complete, so that it is stored without its client. */
  complete(arrival: Arrival): void {
    const { unfinished, complete } = this.#byDataset.get(arrival.dataset)!;
    unfinished.delete(arrival);
    complete.add(arrival);
  }

  leave(arrival: Arrival): void {
    const { unfinished, complete } = this.#byDataset.get(arrival.dataset)!;
    unfinished.delete(arrival);
    complete.delete(arrival);
    if (unfinished.size + complete.size === 0) this.#byDataset.delete(arrival.dataset);
    this.#bytes -= arrival.bytes;
    arrival.bytes = 0;
    this.#resumeWaiting();
  }

  #mayProceed(arrival: Arrival): boolean {
    if (this.#bytes <= this.#limit || arrival.bytes <= this.#freeBytes) return true;
    const { unfinished, complete } = this.#byDataset.get(arrival.dataset)!;
    const [oldest] = unfinished;
    return oldest === arrival && bytesOf(complete) <= bytesOf(unfinished);
  }

  #resumeWaiting(): void {
    for (const arrival of this.#waiting) if (this.#mayProceed(arrival)) arrival.resume?.();
  }
}

function bytesOf(bodies: Iterable<Arrival>): number {
  let sum = 0;
  for (const { bytes } of bodies) sum += bytes;
  return sum;
}

/** A dataset's bodies that are not stored yet. */
interface Bodies {
  /** Oldest first. */
  readonly unfinished: Set<Arrival>;
  readonly complete: Set<Arrival>;
}

/** Only `Arrivals` changes the members of this object. */
export interface Arrival {
  readonly dataset: string;
  /** Bytes that have arrived and are not stored yet. */
  bytes: number;
  resume: (() => void) | undefined;
}
