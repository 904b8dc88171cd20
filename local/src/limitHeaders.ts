/**
 * What is used of the deployment's limits, and the headers that say what is left: requests of this minute on
 * every answer; on those about queries and ingest also what this month took. Counted since the start of the
 * process.
 */
import { type EndpointRow, RESPONSE_HEADERS } from '../../api/src/index.ts';
import { MONTHLY_INGEST_BYTES, MONTHLY_QUERY_GBMS, REQUESTS_PER_MINUTE } from './limits.ts';

/** Something counted in windows of time. */
class Counter {
  readonly limit: number;
  readonly #endOf: (now: Date) => number;
  #end = 0;
  #used = 0;

  /** `endOf` gives the end of the window that a time is in, in milliseconds since 1970. */
  constructor(limit: number, endOf: (now: Date) => number) {
    this.limit = limit;
    this.#endOf = endOf;
  }

  /** Adds to the window of now, and gives what is left of it and when the next one begins, in seconds since 1970. */
  add(amount: number): { readonly remaining: number; readonly reset: number } {
    const now = Date.now();
    if (now >= this.#end) {
      this.#used = 0;
      this.#end = this.#endOf(new Date(now));
    }
    this.#used += amount;
    const remaining = Math.max(0, Math.floor(this.limit - this.#used));
    return { remaining, reset: Math.ceil(this.#end / 1_000) };
  }
}

const MINUTE_MS = 60_000;

function endOfMinute(now: Date): number {
  return (Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
}

function endOfMonth(now: Date): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}

export class LimitHeaders {
  readonly #requests = new Counter(REQUESTS_PER_MINUTE, endOfMinute);
  readonly #ingest = new Counter(MONTHLY_INGEST_BYTES, endOfMonth);
  readonly #queries = new Counter(MONTHLY_QUERY_GBMS, endOfMonth);

  /** Counts a request, and gives the headers of its answer. */
  countRequest(): Record<string, string> {
    const { rateScope, rateLimit, rateRemaining, rateReset } = RESPONSE_HEADERS;
    return {
      [rateScope]: 'organization',
      ...headersOf(this.#requests, 1, [rateLimit, rateRemaining, rateReset]),
    };
  }

  /** Counts bytes of events, uncompressed. */
  countIngest(bytes: number): void {
    this.#ingest.add(bytes);
  }

  /** Counts the cost of a query: the milliseconds it took, in a worker that counts as 1 GB. */
  countQuery(gbms: number): void {
    this.#queries.add(gbms);
  }

  /** What is left of the month, on answers of endpoints that use it. */
  headersFor({ capability }: EndpointRow): Record<string, string> {
    const names = RESPONSE_HEADERS;
    if (capability === 'query:read') {
      return headersOf(this.#queries, 0, [
        names.queryLimit,
        names.queryRemaining,
        names.queryReset,
      ]);
    }
    if (capability !== 'ingest:create') return {};
    return headersOf(this.#ingest, 0, [
      names.ingestLimit,
      names.ingestRemaining,
      names.ingestReset,
    ]);
  }
}

function headersOf(
  counter: Counter,
  amount: number,
  [limit, remaining, reset]: readonly [string, string, string],
): Record<string, string> {
  const left = counter.add(amount);
  return {
    [limit]: String(counter.limit),
    [remaining]: String(left.remaining),
    [reset]: String(left.reset),
  };
}
