// Formats the age of a deployment's schema.

import { counted } from '../../../formats/src/counts.ts';
import type { Failure } from '../service/failure.ts';
import { dateText, type TimeZone, timeOfDay } from '../time/timeZone.ts';

/** `fetchedAt` is in milliseconds since 1970. */
export interface FetchedList {
  readonly fetchedAt: number;
  readonly datasets: number;
}

/** The state of the dataset list. `earlier` is an outdated list that is still offered. */
export type SchemaState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'loading'; readonly earlier?: FetchedList }
  | ({ readonly kind: 'known' } & FetchedList)
  | { readonly kind: 'failed'; readonly failure: Failure; readonly earlier?: FetchedList };

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

/** Formats when a list was fetched, in a time zone. Includes the date if it isn't today. */
export function asOf(fetchedAt: number, zone: TimeZone, now = Date.now()): string {
  const date = dateText(fetchedAt, zone);
  const isToday = date === dateText(now, zone);
  return `as of ${isToday ? '' : `${date} `}${timeOfDay(fetchedAt, zone)}`;
}

function freshness({ datasets, fetchedAt }: FetchedList): string {
  return `${counted(datasets, 'dataset')}, updated ${age(Date.now() - fetchedAt)}`;
}

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
