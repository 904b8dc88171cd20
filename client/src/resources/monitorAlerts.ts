// Which monitors have an open alert. A record does not say, so each monitor is asked for its history, a few at a time.
import type { Alert } from '../../../resources/src/kinds.ts';
import type { Failure } from '../api/failure.ts';
import type { Service } from '../api/service.ts';

/** Requests under way at once. */
const REQUESTS_MAX = 4;
/** The days in which an alert is looked for. One that opened earlier is not found. */
const DAYS = 30;
const DAY_MS = 86_400_000;

const STATES: ReadonlySet<string> = new Set(['open', 'closed']);

/** As a service may write it. */
interface Check {
  readonly state?: string | null;
  readonly timestamp?: string | null;
}

/** What the checks of a monitor say about its alert; undefined where there were none. */
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

export interface Alerts {
  /** By the identifier of the monitor. */
  readonly alerts: ReadonlyMap<string, Alert>;
  /** Why the others were not asked: what one meets, the next would meet as well. */
  readonly failure?: Failure;
}

/** The alerts of monitors. `now` in milliseconds since 1970. */
export async function readAlerts(
  service: Service,
  ids: readonly string[],
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Alerts> {
  const alerts = new Map<string, Alert>();
  const waiting = [...ids];
  let failure: Failure | undefined;
  const query = {
    startTime: new Date(now - DAYS * DAY_MS).toISOString(),
    endTime: new Date(now).toISOString(),
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const id = failure || signal.aborted ? undefined : waiting.shift();
      if (id === undefined) return;
      const answer = await service.call('getMonitorHistory', { params: { id }, query, signal });
      // The service may have no histories at all.
      if (!answer.ok) failure ??= answer.failure;
      else {
        const alert = alertOf(answer.value.typed);
        if (alert !== undefined) alerts.set(id, alert);
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_MAX }, work));
  return { alerts, ...(failure !== undefined && { failure }) };
}
