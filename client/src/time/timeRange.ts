// A query's time range. Its bounds are times, or expressions such as "7 days ago" that are evaluated for each query.
// Every query sends a range, because the hosted service's default is ten years. Weeks start on Monday.
import { isTimestamp } from '../../../api/src/plain.ts';
import { plural } from '../../../formats/src/counts.ts';
import { parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';
import { unitSeconds } from '../words/timeText.ts';
import { fromWall, offsetName, type TimeZone, toWall, wallText } from './timeZone.ts';

export type TimeUnit = 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'y';
export type Period = 'day' | 'week' | 'month' | 'year';

export type Bound =
  | { readonly kind: 'now' }
  | { readonly kind: 'ago'; readonly amount: number; readonly unit: TimeUnit }
  /** The start of the current or the previous period. */
  | { readonly kind: 'startOf'; readonly period: Period; readonly back: 0 | 1 }
  | { readonly kind: 'at'; readonly time: string };

export interface TimeRange {
  readonly start: Bound;
  /** The exclusive end. */
  readonly end: Bound;
}

export interface RangeParameters {
  readonly startTime: string;
  readonly endTime: string;
}

export const unitNames: Readonly<Record<TimeUnit, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
};

/** The names for a current period and for the previous period. */
export const periodNames: Readonly<Record<Period, readonly [string, string]>> = {
  day: ['today', 'yesterday'],
  week: ['this week', 'last week'],
  month: ['this month', 'last month'],
  year: ['this year', 'last year'],
};

const now: Bound = { kind: 'now' };
const last = (amount: number, unit: TimeUnit): TimeRange => ({
  start: { kind: 'ago', amount, unit },
  end: now,
});

/** Returns the current period, which ends now, or the previous period. */
export function periodRange(period: Period, back: 0 | 1): TimeRange {
  const end: Bound = back === 0 ? now : { kind: 'startOf', period, back: 0 };
  return { start: { kind: 'startOf', period, back }, end };
}

export const timeRangePresets: readonly TimeRange[] = [
  last(5, 'm'),
  last(15, 'm'),
  last(1, 'h'),
  last(6, 'h'),
  last(24, 'h'),
  periodRange('day', 0),
  periodRange('day', 1),
  last(7, 'd'),
  periodRange('week', 0),
  periodRange('week', 1),
  last(30, 'd'),
  periodRange('month', 0),
  last(90, 'd'),
  last(365, 'd'),
];

export const allTime: TimeRange = {
  start: { kind: 'at', time: '1970-01-01T00:00:00Z' },
  end: now,
};

export const fallbackTimeRange: TimeRange = last(1, 'h');

/** Returns a range as parameters of a query request. `at` is the current time in milliseconds since 1970. */
export function rangeParameters(
  { start, end }: TimeRange,
  at: number,
  zone: TimeZone = 'utc',
): RangeParameters {
  return { startTime: sentTime(start, at, zone), endTime: sentTime(end, at, zone) };
}

function sentTime(bound: Bound, at: number, zone: TimeZone): string {
  if (bound.kind === 'now') return 'now';
  if (bound.kind === 'ago' && unitSeconds[bound.unit]) return `now-${bound.amount}${bound.unit}`;
  return timestamp(boundNanoseconds(bound, at, zone)) ?? 'now';
}

/**
 * Formats the range for use within a sentence: `last 15 minutes`. Appends `(local)` to local times of day. Without this
 * suffix, the text parses back to the same range in `zone`.
 */
export function rangeLabel({ start, end }: TimeRange, zone: TimeZone = 'utc'): string {
  const label = labelOf({ start: inWall(start, zone), end: inWall(end, zone) });
  return zone === 'local' && /\d:\d/.test(label) ? `${label} (local)` : label;
}

/** Returns the range from a time until now. Milliseconds are dropped. */
export function sinceTime(milliseconds: number): TimeRange {
  const time = new Date(milliseconds).toISOString().replace(/\.\d+/, '');
  return { start: { kind: 'at', time }, end: { kind: 'now' } };
}

/** Formats the range so that it parses to the same range in the zone. */
export function rangeText(range: TimeRange, zone: TimeZone): string {
  const label = rangeLabel(range, zone);
  if (!label.endsWith(' (local)')) return label;
  const point = (bound: Bound) => (bound.kind === 'at' ? bound.time : startText(bound));
  return `${point(range.start)} to ${point(range.end)}`;
}

function inWall(bound: Bound, zone: TimeZone): Bound {
  return bound.kind === 'at' ? { kind: 'at', time: wallText(bound.time, zone) } : bound;
}

function labelOf({ start, end }: TimeRange): string {
  if (start.kind === 'ago' && end.kind === 'now') return `last ${amountText(start)}`;
  if (start.kind === 'startOf') {
    const whole = periodRange(start.period, start.back);
    if (sameBound(whole.end, end)) return periodNames[start.period][start.back];
  }
  if (start.kind === 'at' && end.kind === 'at') return pointsLabel(start.time, end.time);
  if (end.kind === 'now') return `since ${startText(start)}`;
  return `${startText(start)} to ${endText(end)}`;
}

/** Formats both bounds in seconds, and the duration: `2026-01-31 08:00 to 09:30 UTC (1 hour 30 minutes)`. */
export function rangeDetail({ start, end }: TimeRange, at: number, zone: TimeZone = 'utc'): string {
  const [from, to] = [boundNanoseconds(start, at, zone), boundNanoseconds(end, at, zone)];
  const [first = '', final = ''] = [from, to].map((time) =>
    wallText((timestamp(time) ?? '').replace(/\.\d+/, ''), zone),
  );
  const offset = offsetName(Number(from / MILLISECOND), zone);
  return `${spanText(first, final)} ${offset} (${lengthText(to - from)})`;
}

export function rangeNanoseconds(
  { start, end }: TimeRange,
  at: number,
  zone: TimeZone = 'utc',
): bigint {
  return boundNanoseconds(end, at, zone) - boundNanoseconds(start, at, zone);
}

function amountText({ amount, unit }: { amount: number; unit: TimeUnit }): string {
  // Omit thousands separators, because the text must parse again.
  return `${amount} ${plural(amount, unitNames[unit])}`;
}

function startText(bound: Bound): string {
  switch (bound.kind) {
    case 'now':
      return 'now';
    case 'ago':
      return `${amountText(bound)} ago`;
    case 'startOf':
      return periodNames[bound.period][bound.back];
    case 'at':
      return isMidnight(bound.time) ? bound.time.slice(0, 10) : pointText(bound.time);
  }
}

/** Formats a bound. The start of a period becomes the previous period's name, because a named end is included. */
function endText(bound: Bound): string {
  if (bound.kind === 'startOf') return periodNames[bound.period][1];
  return bound.kind === 'at' ? pointText(bound.time) : startText(bound);
}

/** Formats whole days without times. The last day is included. */
function pointsLabel(start: string, end: string): string {
  if (!isMidnight(start) || !isMidnight(end)) return spanText(start, end);
  const first = start.slice(0, 10);
  const final = new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
  return first === final ? first : `${first} to ${final}`;
}

/** Formats two points in time, with a common date only once. */
function spanText(start: string, end: string): string {
  const to = pointText(end);
  return `${pointText(start)} to ${start.slice(0, 10) === end.slice(0, 10) ? to.slice(11) : to}`;
}

/** Formats a point as `2026-01-31 08:30`, with seconds unless they are zero. */
function pointText(time: string): string {
  return time
    .replace(/Z$/, '')
    .replace('T', ' ')
    .replace(/^(.{16}):00$/, '$1');
}

function isMidnight(time: string): boolean {
  return time.endsWith('T00:00:00Z');
}

function sameBound(one: Bound, other: Bound): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The units for durations such as `1 day 2 hours`. */
export const lengthUnits = ['d', 'h', 'm', 's'] as const;

function lengthText(nanoseconds: bigint): string {
  if (nanoseconds < SECOND) return `${Number(nanoseconds) / 1e6} ms`;
  let rest = Number(nanoseconds / SECOND);
  const parts: string[] = [];
  for (const unit of lengthUnits) {
    const seconds = unitSeconds[unit] as number;
    const count = Math.floor(rest / seconds);
    rest %= seconds;
    if (count > 0) parts.push(amountText({ amount: count, unit }));
  }
  return parts.join(' ');
}

export const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
/** A bound earlier than all valid dates, in nanoseconds. */
const BEFORE_TIME = -(10n ** 30n);

/** Returns a bound as nanoseconds since 1970. */
export function boundNanoseconds(bound: Bound, at: number, zone: TimeZone = 'utc'): bigint {
  switch (bound.kind) {
    case 'now':
      return BigInt(at) * MILLISECOND;
    case 'ago':
      return ago(bound.amount, bound.unit, at, zone);
    case 'startOf':
      return BigInt(fromWall(periodWall(bound, toWall(at, zone)), zone)) * MILLISECOND;
    case 'at':
      return parseRfc3339Nanos(bound.time) as bigint;
  }
}

function ago(amount: number, unit: TimeUnit, at: number, zone: TimeZone): bigint {
  const seconds = unitSeconds[unit];
  if (seconds !== undefined) return BigInt(at) * MILLISECOND - BigInt(amount * seconds) * SECOND;
  const date = new Date(toWall(at, zone));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - amount * (unit === 'y' ? 12 : 1));
  // Use the last day of a shorter month instead of the 31st.
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  if (Number.isNaN(date.getTime())) return BEFORE_TIME;
  return BigInt(fromWall(date.getTime(), zone)) * MILLISECOND;
}

function periodWall({ period, back }: Bound & { kind: 'startOf' }, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (period) {
    case 'day':
      return Date.UTC(year, month, day - back);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7) - 7 * back);
    case 'month':
      return Date.UTC(year, month - back);
    case 'year':
      return Date.UTC(year - back, 0);
  }
}

/** Formats nanoseconds since 1970 as RFC 3339 in UTC; undefined beyond the years 0000 to 9999. */
export function timestamp(nanoseconds: bigint): string | undefined {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const date = new Date(Number((nanoseconds - fraction) / MILLISECOND));
  if (Number.isNaN(date.getTime())) return undefined;
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  const time = `${date.toISOString().slice(0, -5)}${digits}Z`;
  return isTimestamp(time) ? time : undefined;
}
