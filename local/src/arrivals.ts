/**
 * Bounds what ingest requests have sent and is not stored yet. Bytes count as they arrive: how large a body
 * will be is unknown, and a client that announces much and sends nothing must not keep others out.
 *
 * A body holds little memory while it arrives, since it goes on to the spool, so the bound is one of the
 * disk. When it is reached, bodies wait for room in the middle, and the client is held back by TCP. That
 * several bodies, each half there, wait for each other's room is ruled out as follows.
 *
 * - The oldest unfinished body of each dataset never waits. It ends: completely, broken off by its client,
 *   or by us, since a client that does not keep the pace (`BodyPace`) is refused. Then the next one is the
 *   oldest, so every body comes to its end.
 * - A complete body depends on no client any more. It is stored, and its room is free.
 * - The first bytes of each body need no room, so that a small request waits for nobody.
 *
 * What arrives can therefore exceed the bound: by one body for each dataset, the free bytes of each body, and
 * a piece for each that waits. Datasets do not starve each other, as each has an oldest body.
 */
export class Arrivals {
  readonly #size: number;
  readonly #free: number;
  #bytes = 0;
  /** The unfinished bodies by dataset, oldest first. */
  readonly #unfinished = new Map<string, Set<Arrival>>();
  readonly #waiting = new Set<Arrival>();

  /** `size` is the bound in bytes, `free` what each body may have in any case. */
  constructor(size: number, free: number) {
    this.#size = size;
    this.#free = free;
  }

  /** The bytes that have arrived and are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a body for a dataset. The caller ends it with `leave` in any case. */
  enter(dataset: string): Arrival {
    const arrival = { dataset, bytes: 0, goOn: undefined };
    const others = this.#unfinished.get(dataset);
    if (others === undefined) this.#unfinished.set(dataset, new Set([arrival]));
    else others.add(arrival);
    return arrival;
  }

  /**
   * Counts bytes that have arrived. Gives a promise where the body must wait before it reads on, which
   * rejects when `signal` aborts.
   */
  add(arrival: Arrival, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    this.#bytes += bytes;
    arrival.bytes += bytes;
    if (this.#mayGoOn(arrival)) return undefined;
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(arrival);
      };
      const giveUp = () => {
        end();
        reject(signal.reason);
      };
      arrival.goOn = () => {
        end();
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(arrival);
      if (signal.aborted) giveUp();
    });
  }

  /** The body has arrived completely: from now on it depends on no client. */
  complete(arrival: Arrival): void {
    const others = this.#unfinished.get(arrival.dataset);
    if (others?.delete(arrival) !== true) return;
    if (others.size === 0) this.#unfinished.delete(arrival.dataset);
    this.#wake();
  }

  /** The body is stored or refused, and its bytes are held no longer. */
  leave(arrival: Arrival): void {
    this.#bytes -= arrival.bytes;
    arrival.bytes = 0;
    this.complete(arrival);
    this.#wake();
  }

  #mayGoOn(arrival: Arrival): boolean {
    if (this.#bytes <= this.#size || arrival.bytes <= this.#free) return true;
    const [oldest] = this.#unfinished.get(arrival.dataset) ?? [];
    return oldest === arrival;
  }

  #wake(): void {
    for (const arrival of this.#waiting) if (this.#mayGoOn(arrival)) arrival.goOn?.();
  }
}

/** A body that arrives. Only `Arrivals` changes it. */
export interface Arrival {
  readonly dataset: string;
  /** What has arrived of it and is held. */
  bytes: number;
  /** Lets it read on, while it waits. */
  goOn: (() => void) | undefined;
}
