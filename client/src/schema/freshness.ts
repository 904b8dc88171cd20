// How fresh the known schema of a deployment is, in words.
import type { FetchedList, SchemaState } from '../schemaCache.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function schemaText(name: string, state: SchemaState): string {
  switch (state.kind) {
    case 'unknown':
      return `${name}: schema not loaded`;
    case 'loading':
      return state.earlier
        ? `${name}: ${freshness(state.earlier)}; refreshing`
        : `${name}: loading schema`;
    case 'failed':
      return state.earlier
        ? `${name}: ${freshness(state.earlier)}; refresh failed`
        : `${name}: schema not available`;
    case 'known':
      return `${name}: ${freshness(state)}`;
  }
}

export function schemaDetail(state: SchemaState): string {
  const isOld = 'earlier' in state && state.earlier !== undefined;
  const left = isOld ? 'Unknown names are not reported until the schema is refreshed.' : '';
  return state.kind === 'failed' ? `${state.failure.message} ${left}`.trim() : left;
}

/** When a list was fetched, on the clock of the person: the time, and the date where it was not today. */
export function asOf(fetchedAt: number, now = Date.now()): string {
  const at = new Date(fetchedAt);
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isToday = at.toDateString() === new Date(now).toDateString();
  if (isToday) return `as of ${time}`;
  const isThisYear = now - fetchedAt < 300 * DAY_MS;
  const date = at.toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `as of ${date}, ${time}`;
}

function freshness({ datasets, fetchedAt }: FetchedList): string {
  return `${datasets} ${datasets === 1 ? 'dataset' : 'datasets'}, updated ${age(Date.now() - fetchedAt)}`;
}

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
