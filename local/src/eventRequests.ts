/**
 * Admits the bodies of ingest requests: each arrives as fast as its client sends it (`arrivals.ts` limits their
 * total), then complete ones are stored, with a limit on concurrent bytes and round-robin between datasets. Only
 * complete bodies count toward that limit, so no client can block it.
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
  INGEST_CONCURRENT_BYTES_MAX,
  INGEST_REQUEST_BYTES_MIN,
} from './limits.ts';
import { datasetOf } from './store/ingest/target.ts';
import { Semaphore } from './store/locks.ts';
import type { Store } from './store/store.ts';

/** Content types with one event per line; `application/json` may also have this form. */
const LINE_TYPES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
]);

export interface EventRequest {
  readonly request: HttpRequest;
  readonly row: EndpointRow;
  readonly contentType: string;
  /** Name of the target dataset. */
  readonly dataset: string;
}

export class EventRequests {
  readonly #store: Store;
  readonly #pace: BodyPace;
  readonly #arrivals = new Arrivals(ARRIVED_BYTES_MAX, ARRIVED_BYTES_FREE);
  readonly #storing = new Semaphore(INGEST_CONCURRENT_BYTES_MAX);

  constructor(store: Store, pace: BodyPace) {
    this.#store = store;
    this.#pace = pace;
  }

  /**
   * Reads the body of a request and passes it to `store` when its turn comes. `converted`: whether events are
   * generated from it only then. Throws an ApiError if the body does not suit this endpoint or dataset, or does not
   * arrive.
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
    const expected = new ExpectedEvents(
      datasetOf(this.#store, dataset).reading.arriving,
      contentType === 'text/csv' ? undefined : signal,
    );
    const arrival = this.#arrivals.enter(dataset);
    try {
      const pieces = bodyPieces(request, INGEST_BODY_BYTES_MAX, this.#pace);
      const byLines = !converted && LINE_TYPES.has(contentType);
      const body = await EventBody.read(pieces, this.#store.spool, byLines, (bytes) => {
        expected.renew();
        return this.#arrivals.add(arrival, bytes, signal);
      });
      this.#arrivals.complete(arrival);
      // While this request itself waits for its turn, no other may wait for it.
      expected.end();
      const weight = Math.max(body.length, INGEST_REQUEST_BYTES_MIN);
      try {
        const work = () => {
          expected.renew();
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

/** Maximum time since the last piece of a body for which the dataset's other requests wait for the rest. */
const EXPECTED_MS = 500;

/**
 * Marks a dataset as receiving events, so that other requests may wait for them briefly (`batchQueue.ts`). The mark
 * ends when a client stalls.
 */
class ExpectedEvents {
  readonly #arriving: Set<AbortSignal>;
  readonly #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `signal` identifies the request; undefined if others need not wait for it. */
  constructor(arriving: Set<AbortSignal>, signal: AbortSignal | undefined) {
    this.#arriving = arriving;
    this.#signal = signal;
    if (signal === undefined) return;
    this.#timer = setTimeout(() => arriving.delete(signal), EXPECTED_MS);
    arriving.add(signal);
  }

  renew(): void {
    if (this.#signal === undefined) return;
    this.#arriving.add(this.#signal);
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#signal !== undefined) this.#arriving.delete(this.#signal);
  }
}
