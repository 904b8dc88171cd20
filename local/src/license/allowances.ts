/** Holds requests to the limits of the license, and says in headers what is left of them. */
import { RESPONSE_HEADERS as H, type IngestResponse } from '../../../api/src/index.ts';
import { directoryOf } from '../access/directory.ts';
import type { Scope } from '../access/scopes.ts';
import { ApiError } from '../errors.ts';
import { Semaphore } from '../store/gate.ts';
import type { Store } from '../store/store.ts';
import { type FullLicense, monthOf } from './license.ts';

export type Headers = Record<string, string>;

type Counted = NonNullable<Scope['creates']>;

const MINUTE_MS = 60_000;
const GIGABYTE = 1e9;

/** What there is of what the license counts. */
const counts: { readonly [Limit in Counted]: (store: Store) => number } = {
  maxDatasets: ({ datasets }) => datasets.list().length,
  maxMonitors: ({ resources }) => resources.list('monitor').length,
  maxUsers: ({ resources }) => directoryOf(resources).users().length,
};

const things: { readonly [Limit in Counted]: string } = {
  maxDatasets: 'datasets',
  maxMonitors: 'monitors',
  maxUsers: 'users',
};

export class Allowances {
  readonly #store: Store;
  readonly #license: FullLicense;
  #minute = 0;
  #requests = 0;
  /** So that two requests cannot both be the last that the license allows. */
  readonly #creating = new Semaphore(1);

  constructor(store: Store) {
    this.#store = store;
    this.#license = store.license;
  }

  /**
   * Counts a request in the minute of the clock that it came in, and adds the headers of the limit. Throws an
   * ApiError once the minute has as many as the license allows.
   */
  countRequest(headers: Headers): void {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#requests = 0;
    }
    const limit = Math.floor(this.#license.apiRateLimitPerSecond * 60);
    const reset = ((minute + 1) * MINUTE_MS) / 1_000;
    const isOver = this.#requests >= limit;
    if (!isOver) this.#requests += 1;
    headers[H.rateScope] = 'organization';
    headers[H.rateLimit] = String(limit);
    headers[H.rateRemaining] = String(limit - this.#requests);
    headers[H.rateReset] = String(reset);
    if (!isOver) return;
    const seconds = Math.max(1, Math.ceil(reset - now / 1_000));
    headers[H.retryAfter] = String(seconds);
    throw new ApiError('rate-limit', { limit, seconds });
  }

  /** Creates something, unless there are as many as the license allows. */
  create<T>(limit: Scope['creates'], work: () => Promise<T>): Promise<T> {
    if (limit === undefined) return work();
    return this.#creating.run(async () => {
      const most = this.#license[limit];
      if (counts[limit](this.#store) < most) return work();
      throw new ApiError('license-limit', { limit: most, things: things[limit], member: limit });
    });
  }

  /** Adds the headers of the monthly ingest. Throws an ApiError when it is used up. */
  checkIngest(headers: Headers): void {
    this.#addIngest(headers);
    if (this.#store.usage.ingestBytes < this.#ingestBytes) return;
    throw new ApiError('ingest-limit', { limit: this.#license.monthlyIngestGb });
  }

  /** Counts what was stored. */
  countIngest({ processedBytes }: IngestResponse, headers: Headers): void {
    this.#store.usage.countIngest(processedBytes);
    this.#addIngest(headers);
  }

  get #ingestBytes(): number {
    return this.#license.monthlyIngestGb * GIGABYTE;
  }

  #addIngest(headers: Headers): void {
    const limit = Math.floor(this.#ingestBytes);
    const { billingPeriodEnd } = monthOf(new Date());
    headers[H.ingestLimit] = String(limit);
    headers[H.ingestRemaining] = String(Math.max(0, limit - this.#store.usage.ingestBytes));
    headers[H.ingestReset] = String(Date.parse(billingPeriodEnd) / 1_000);
  }
}
