// Formats a dataset's extent, and returns a time range that covers it.

import { counted } from '../../../formats/src/counts.ts';
import type { Extent } from '../service/extent.ts';
import { endsInWords } from '../words/timeText.ts';
import { boundNanoseconds, type TimeRange } from './timeRange.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Formats an extent: `12,000 events from 2015-01-01 to 2015-12-31`. Within one day, adds the times of day. */
export function extentInWords(extent: Extent): string {
  return `${counted(extent.events, 'event')} from ${endsInWords(extent)}`;
}

/** Formats only the days, for places with little space: `2015-01-01`, `2015-01-01 to 12-31`. */
export function daysInWords({ first, last }: Pick<Extent, 'first' | 'last'>): string {
  const [firstDay, lastDay] = [first.slice(0, 10), last.slice(0, 10)];
  if (firstDay === lastDay) return firstDay;
  const isOneYear = firstDay.slice(0, 4) === lastDay.slice(0, 4);
  return `${firstDay} to ${isOneYear ? lastDay.slice(5) : lastDay}`;
}

/** Returns a range that contains the extent, in whole days, or in whole minutes for events on one day. */
export function rangeAround({ first, last }: Extent): TimeRange {
  const step = first.slice(0, 10) === last.slice(0, 10) ? MINUTE_MS : DAY_MS;
  const start = Math.floor(Date.parse(first) / step) * step;
  const end = (Math.floor(Date.parse(last) / step) + 1) * step;
  return { start: { kind: 'at', time: seconds(start) }, end: { kind: 'at', time: seconds(end) } };
}

/** Returns whether a range contains the first and the last event. */
export function covers(
  { start, end }: TimeRange,
  { first, last }: Extent,
  now = Date.now(),
): boolean {
  const point = (time: string) => boundNanoseconds({ kind: 'at', time }, now);
  return boundNanoseconds(start, now) <= point(first) && point(last) <= boundNanoseconds(end, now);
}

function seconds(time: number): string {
  return new Date(time).toISOString().replace(/\.000Z$/, 'Z');
}
