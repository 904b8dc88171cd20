/**
 * Receives and schedules ingest requests. Bodies arrive at their clients' speed, and `arrivals.ts` limits their total
 * size. Complete bodies are stored, round-robin by dataset, with a limit on their concurrent bytes. Only complete
 * bodies count toward that limit, so a slow client can't block it.
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

/** Bodies of type `application/json` may also have one event per line. */
const LINE_TYPES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
]);

export interface EventRequest {
  readonly request: HttpRequest;
  readonly row: EndpointRow;
  readonly contentType: string;
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
   * Reads a request's body, waits for the request's turn, and calls `store` with the body. Set `converted` if `store`
   * converts the body to events. Throws an ApiError if the content type is unsupported or the body can't be read.
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
      // Other requests of the dataset needn't wait for a complete body.
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

/** Maximum wait for the next chunk of a body. */
const EXPECTED_MS = 500;

/** Marks a request as arriving. Other requests of the dataset briefly wait for it. */
class ExpectedEvents {
  readonly #arriving: Set<AbortSignal>;
  readonly #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

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
