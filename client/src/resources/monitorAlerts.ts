// The monitors' open alerts. Records lack them, so each monitor's history is fetched, with a few concurrent requests.
import type { Alert } from '../../../resources/src/kinds.ts';
import { concurrently } from '../host/concurrently.ts';
import type { Failure } from '../service/failure.ts';
import type { Service } from '../service/service.ts';

const REQUESTS_MAX = 4;
/** The number of past days to search. Alerts that opened earlier aren't found. */
const DAYS = 30;
const DAY_MS = 86_400_000;

const STATES: ReadonlySet<string> = new Set(['open', 'closed']);

interface Check {
  readonly state?: string | null;
  readonly timestamp?: string | null;
}

/** Returns a monitor's alert according to its history; undefined if no state is known. */
export function alertOf(checks: readonly Check[]): Alert | undefined {
  const known = checks
    .map(({ state, timestamp }) => ({ state: state ?? '', since: timestamp ?? '' }))
    .filter(({ state, since }) => STATES.has(state) && !Number.isNaN(Date.parse(since)))
    .toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));
  const [latest] = known;
  if (latest === undefined) return undefined;
  const before = known.findIndex(({ state }) => state !== latest.state);
  const { since } = known.at(before < 0 ? -1 : before - 1) ?? latest;
  return { isOpen: latest.state === 'open', since };
}

interface Alerts {
  readonly alerts: ReadonlyMap<string, Alert>;
  /** Failures by monitor ID. After a failure that stops further requests, each remaining monitor has that failure. */
  readonly failures: ReadonlyMap<string, Failure>;
}

/** The number of consecutive failures after which no more histories are requested. */
const FAILURES_MAX = 8;

/** Statuses that affect all requests, because they concern the token or the service's limits. */
const OF_ALL_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 430, 432]);

/** Reads the monitors' alerts. `now` is in milliseconds since 1970. */
export async function readAlerts(
  service: Service,
  ids: readonly string[],
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Alerts> {
  const alerts = new Map<string, Alert>();
  const failures = new Map<string, Failure>();
  let inRow = 0;
  let ofAll: Failure | undefined;
  const query = {
    startTime: new Date(now - DAYS * DAY_MS).toISOString(),
    endTime: new Date(now).toISOString(),
  };
  const readAlert = async (id: string): Promise<void> => {
    if (ofAll) return void failures.set(id, ofAll);
    const answer = await service.call('getMonitorHistory', { params: { id }, query, signal });
    if (answer.ok) {
      inRow = 0;
      const alert = alertOf(answer.value.typed);
      if (alert !== undefined) alerts.set(id, alert);
      return;
    }
    const { failure } = answer;
    failures.set(id, failure);
    inRow += 1;
    const isOfAll = failure.kind === 'token' || OF_ALL_STATUSES.has(failure.status ?? 0);
    // Stop after many consecutive failures, because the service may not provide histories.
    if (isOfAll || inRow >= FAILURES_MAX) ofAll ??= failure;
  };
  await concurrently(ids, REQUESTS_MAX, readAlert, signal);
  return { alerts, failures };
}
