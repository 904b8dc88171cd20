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
const HOUR_MS = 60 * MINUTE_MS;
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
  /** The end of the month that is counted in. */
  #month = '';
  #queryCost = 0;
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
    this.#turn();
    const limit = this.#requestLimit;
    const isOver = this.#requests >= limit;
    if (!isOver) this.#requests += 1;
    this.tellRequests(headers);
    if (!isOver) return;
    const seconds = Math.max(1, Math.ceil(this.#requestReset - Date.now() / 1_000));
    headers[H.retryAfter] = String(seconds);
    throw new ApiError('rate-limit', { limit, seconds });
  }

  /** Adds the headers of the limit on requests, which are on every answer. */
  tellRequests(headers: Headers): void {
    this.#turn();
    headers[H.rateScope] = 'organization';
    headers[H.rateLimit] = String(this.#requestLimit);
    headers[H.rateRemaining] = String(Math.max(0, this.#requestLimit - this.#requests));
    headers[H.rateReset] = String(this.#requestReset);
  }

  /** Counts the cost of a query in GB·ms: the milliseconds it took, in a worker that counts as 1 GB. */
  countQuery(gbms: number): void {
    this.#turn();
    this.#queryCost += gbms;
  }

  /** Adds the headers of the monthly queries, counted since the start of the process. */
  tellQueries(headers: Headers): void {
    this.#turn();
    const limit = Math.floor(this.#license.monthlyQueryGbHours * HOUR_MS);
    headers[H.queryLimit] = String(limit);
    headers[H.queryRemaining] = String(Math.max(0, limit - this.#queryCost));
    headers[H.queryReset] = String(Date.parse(this.#month) / 1_000);
  }

  /** Begins to count again in another minute or month. */
  #turn(): void {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#requests = 0;
    const { billingPeriodEnd } = monthOf(new Date(now));
    if (billingPeriodEnd !== this.#month) this.#queryCost = 0;
    this.#month = billingPeriodEnd;
  }

  get #requestLimit(): number {
    return Math.floor(this.#license.apiRateLimitPerSecond * 60);
  }

  /** When the next minute begins, in seconds since 1970. */
  get #requestReset(): number {
    return ((this.#minute + 1) * MINUTE_MS) / 1_000;
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
  countIngest({ processedBytes }: Pick<IngestResponse, 'processedBytes'>, headers: Headers): void {
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
