/** Enforces the license's limits, and reports them in response headers. */
import { RESPONSE_HEADERS as H, type IngestResponse, type Scope } from '../../../api/src/index.ts';
import { directoryOf } from '../access/directory.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type FullLicense, monthOf } from './license.ts';

export type Headers = Record<string, string>;

type CountedLimit = NonNullable<Scope['creates']>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GIGABYTE = 1e9;

/** For each limit, the resource's name in messages and its count. */
const resourcesByLimit: {
  readonly [Limit in CountedLimit]: readonly [name: string, count: (store: Store) => number];
} = {
  maxDatasets: ['datasets', ({ datasets }) => datasets.list().length],
  maxMonitors: ['monitors', ({ resources }) => resources.list('monitor').length],
  maxUsers: ['users', ({ resources }) => directoryOf(resources).list('user').length],
};

export class Allowances {
  readonly #store: Store;
  readonly #license: FullLicense;
  #minute = 0;
  #requests = 0;
  #storing = 0;
  /** Creations in progress, which count toward the limits. */
  readonly #creating: { readonly [Limit in CountedLimit]: Set<Promise<unknown>> } = {
    maxDatasets: new Set(),
    maxMonitors: new Set(),
    maxUsers: new Set(),
  };

  constructor(store: Store) {
    this.#store = store;
    this.#license = store.license;
  }

  /** Counts a request and adds the rate limit headers. Throws an ApiError above the limit per minute. */
  countRequest(headers: Headers): void {
    this.#startMinute();
    const limit = this.#requestLimit;
    const isOver = this.#requests >= limit;
    if (!isOver) this.#requests += 1;
    this.addRequestHeaders(headers);
    if (!isOver) return;
    const seconds = Math.max(1, Math.ceil(this.#requestReset - Date.now() / 1_000));
    headers[H.retryAfter] = String(seconds);
    throw new ApiError('rate-limit', { limit, seconds });
  }

  addRequestHeaders(headers: Headers): void {
    this.#startMinute();
    headers[H.rateScope] = 'organization';
    headers[H.rateLimit] = String(this.#requestLimit);
    headers[H.rateRemaining] = String(Math.max(0, this.#requestLimit - this.#requests));
    headers[H.rateReset] = String(this.#requestReset);
  }

  addQueryHeaders(headers: Headers): void {
    const limit = Math.floor(queryGbms(this.#license));
    headers[H.queryLimit] = String(limit);
    headers[H.queryRemaining] = String(Math.max(0, limit - this.#store.usage.queryGbms));
    headers[H.queryReset] = monthReset();
  }

  #startMinute(): void {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#requests = 0;
  }

  get #requestLimit(): number {
    return Math.floor(this.#license.apiRateLimitPerSecond * 60);
  }

  /** The end of the current minute, in seconds since 1970. */
  get #requestReset(): number {
    return ((this.#minute + 1) * MINUTE_MS) / 1_000;
  }

  /** Runs `work`, which creates a resource. Throws an ApiError if the license's limit is reached. */
  async create<T>(limit: Scope['creates'], work: () => Promise<T>): Promise<T> {
    if (limit === undefined) return work();
    const max = this.#license[limit];
    const creating = this.#creating[limit];
    const [things, countOf] = resourcesByLimit[limit];
    for (;;) {
      const count = countOf(this.#store);
      if (count + creating.size < max) break;
      if (count >= max || creating.size === 0) {
        throw new ApiError('license-limit', { limit: max, things, member: limit });
      }
      // This creation may proceed if a pending one fails.
      await Promise.race(creating);
    }
    const created = work();
    const settled = created.catch(() => undefined);
    creating.add(settled);
    try {
      return await created;
    } finally {
      creating.delete(settled);
    }
  }

  /** Adds the ingest limit's headers. Throws an ApiError if the monthly ingest limit is reached. */
  checkIngest(headers: Headers): void {
    this.#addIngestHeaders(headers);
    if (this.#store.usage.ingestBytes + this.#storing < this.#ingestBytes) return;
    throw new ApiError('ingest-limit', { limit: this.#license.monthlyIngestGb });
  }

  /**
   * Runs `work`, which stores a body, and counts the result's `processedBytes` or, if absent, `bytes`. The bytes of
   * running requests also count, so concurrent requests exceed the limit by less than one body. Throws an ApiError if
   * the limit is reached.
   */
  async ingest<T>(bytes: number, headers: Headers, work: () => Promise<T>): Promise<T> {
    this.checkIngest(headers);
    this.#storing += bytes;
    try {
      const result = await work();
      const { processedBytes } = result as Partial<IngestResponse>;
      this.#store.usage.countIngest(processedBytes ?? bytes);
      return result;
    } finally {
      this.#storing -= bytes;
      this.#addIngestHeaders(headers);
    }
  }

  get #ingestBytes(): number {
    return this.#license.monthlyIngestGb * GIGABYTE;
  }

  #addIngestHeaders(headers: Headers): void {
    const limit = Math.floor(this.#ingestBytes);
    headers[H.ingestLimit] = String(limit);
    headers[H.ingestRemaining] = String(Math.max(0, limit - this.#store.usage.ingestBytes));
    headers[H.ingestReset] = monthReset();
  }
}

/** Checks the monthly query limit, and throws an ApiError if it is reached. */
export function checkQueries({ license, usage }: Store): void {
  if (usage.queryGbms < queryGbms(license)) return;
  throw new ApiError('query-limit', { limit: license.monthlyQueryGbHours });
}

function queryGbms({ monthlyQueryGbHours }: FullLicense): number {
  return monthlyQueryGbHours * HOUR_MS;
}

/** Returns the end of the month, in seconds since 1970. */
function monthReset(): string {
  return String(Date.parse(monthOf(new Date()).billingPeriodEnd) / 1_000);
}
