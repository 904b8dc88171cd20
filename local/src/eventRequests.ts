/**
 * Lets the bodies of ingest requests in: first each arrives as fast as its client sends it (`arrivals.ts`
 * bounds what all of them hold), then the complete ones are stored, a bounded number of bytes at once and
 * datasets in turn. Only what is complete takes part in that bound, so that no client can block it.
 */
import type { EndpointRow } from '../../api/src/index.ts';
import { Arrivals } from './arrivals.ts';
import { bodyPieces } from './body.ts';
import { ApiError } from './errors.ts';
import { EventBody } from './eventBody.ts';
import type { HttpRequest } from './http.ts';
import {
  ARRIVED_BYTES_FREE,
  ARRIVED_BYTES_MAX,
  type BodyPace,
  INGEST_BODY_BYTES_MAX,
  INGEST_BYTES_AT_ONCE,
  INGEST_REQUEST_BYTES_LEAST,
} from './limits.ts';
import { Semaphore } from './store/gate.ts';
import { datasetOf } from './store/ingest/target.ts';
import type { Store } from './store/store.ts';

/** The types whose bodies have an event on each line; `application/json` may have, too. */
const LINE_TYPES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
]);

export interface EventRequest {
  readonly request: HttpRequest;
  readonly row: EndpointRow;
  readonly contentType: string;
  /** The dataset that the events go to. */
  readonly dataset: string;
}

export class EventRequests {
  readonly #store: Store;
  readonly #pace: BodyPace;
  readonly #arrivals = new Arrivals(ARRIVED_BYTES_MAX, ARRIVED_BYTES_FREE);
  readonly #storing = new Semaphore(INGEST_BYTES_AT_ONCE);

  constructor(store: Store, pace: BodyPace) {
    this.#store = store;
    this.#pace = pace;
  }

  /**
   * Reads the body of a request and hands it to `store` when its turn comes; `converted` where events are
   * made of it only then. Throws an ApiError when the body cannot be for this endpoint or dataset, or does
   * not arrive.
   */
  async read<T>(
    { request, row, contentType, dataset }: EventRequest,
    converted: boolean,
    store: (body: EventBody) => Promise<T>,
  ): Promise<T> {
    if (!row.contentTypes.includes(contentType)) {
      throw new ApiError('wrong-content-type', { type: JSON.stringify(contentType.slice(0, 100)) });
    }
    const { signal } = request;
    const expected = new Expected(
      datasetOf(this.#store, dataset).reading.arriving,
      contentType === 'text/csv' ? undefined : signal,
    );
    const arrival = this.#arrivals.enter(dataset);
    try {
      const pieces = bodyPieces(request, INGEST_BODY_BYTES_MAX, this.#pace);
      const byLines = !converted && LINE_TYPES.has(contentType);
      const body = await EventBody.read(pieces, this.#store.spool, byLines, (bytes) => {
        expected.arrives();
        return this.#arrivals.add(arrival, bytes, signal);
      });
      this.#arrivals.complete(arrival);
      // Nobody waits for it while it waits for its turn itself.
      expected.end();
      const weight = Math.max(body.length, INGEST_REQUEST_BYTES_LEAST);
      try {
        const work = () => {
          expected.arrives();
          return store(body);
        };
        return await this.#storing.run(work, signal, { weight, key: dataset });
      } finally {
        await body.release();
      }
    } finally {
      this.#arrivals.leave(arrival);
      expected.end();
    }
  }
}

/** How long after a piece of a body others of the dataset wait for the rest of it. */
const EXPECTED_MS = 500;

/**
 * Lets the dataset know that events are arriving, for which others may wait a moment (`together.ts`), as
 * long as they do arrive: nobody waits for a client that stalls.
 */
class Expected {
  readonly #arriving: Set<AbortSignal>;
  readonly #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `signal` stands for the request; none where others need not wait for it. */
  constructor(arriving: Set<AbortSignal>, signal: AbortSignal | undefined) {
    this.#arriving = arriving;
    this.#signal = signal;
    if (signal === undefined) return;
    this.#timer = setTimeout(() => arriving.delete(signal), EXPECTED_MS);
    arriving.add(signal);
  }

  arrives(): void {
    if (this.#signal === undefined) return;
    this.#arriving.add(this.#signal);
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#signal !== undefined) this.#arriving.delete(this.#signal);
  }
}
