// A query's time range: relative to now, or between two points. Read from what a person types, shown
// in words, and sent with every query, since no range means about ten years on the hosted service.
import { isTimestamp } from '../../api/src/index.ts';

export type TimeUnit = 's' | 'm' | 'h' | 'd' | 'w';

export type TimeRange =
  | { readonly kind: 'relative'; readonly amount: number; readonly unit: TimeUnit }
  /** RFC 3339; `end` may be left out, which means now. */
  | { readonly kind: 'absolute'; readonly start: string; readonly end?: string };

/** The members of a query request that carry a range. */
export interface RangeParameters {
  readonly startTime: string;
  readonly endTime: string;
}

const unitNames: Readonly<Record<TimeUnit, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
};

const unitWords: Readonly<Record<string, TimeUnit>> = {
  ...Object.fromEntries(
    (Object.keys(unitNames) as TimeUnit[]).flatMap((unit) => {
      const name = unitNames[unit];
      return [unit, name, `${name}s`].map((word) => [word, unit] as const);
    }),
  ),
  sec: 's',
  secs: 's',
  min: 'm',
  mins: 'm',
  hr: 'h',
  hrs: 'h',
};

const AMOUNT_MAX = 1_000_000;

/** What is offered; the person may type any other. */
export const timeRangePresets: readonly TimeRange[] = [
  { kind: 'relative', amount: 5, unit: 'm' },
  { kind: 'relative', amount: 15, unit: 'm' },
  { kind: 'relative', amount: 1, unit: 'h' },
  { kind: 'relative', amount: 6, unit: 'h' },
  { kind: 'relative', amount: 1, unit: 'd' },
  { kind: 'relative', amount: 7, unit: 'd' },
  { kind: 'relative', amount: 30, unit: 'd' },
  { kind: 'relative', amount: 90, unit: 'd' },
  { kind: 'relative', amount: 365, unit: 'd' },
];

export const fallbackTimeRange: TimeRange = { kind: 'relative', amount: 1, unit: 'h' };

/** How a range is written, for whoever is asked for one. */
export const timeRangeHint =
  'Write a length such as 45m, 12h or 3d, or two times such as 2026-01-31 08:00 to 2026-01-31 09:30 (UTC).';

/**
 * Reads what a person typed: `45m`, `last 2 hours`, `now-1d`, or two times joined by `to` or `..`, each
 * a day, a day and a time of day, or RFC 3339; without a zone they are UTC. The second may be `now`.
 * Returns a sentence saying what is wrong if it is none of these.
 */
export function parseTimeRange(text: string): TimeRange | string {
  const typed = text.trim();
  if (typed === '') return timeRangeHint;
  const relative = /^(?:last\s+|now-)?(\d{1,9})?\s*([a-z]+)$/i.exec(typed);
  if (relative) return relativeRange(relative[1], (relative[2] as string).toLowerCase());
  const ends = typed.split(/\s+to\s+|\s*\.\.\s*/i);
  if (ends.length !== 2) return timeRangeHint;
  return absoluteRange(ends[0] as string, ends[1] as string);
}

function relativeRange(digits: string | undefined, word: string): TimeRange | string {
  const unit = Object.hasOwn(unitWords, word) ? unitWords[word] : undefined;
  if (unit === undefined) return `"${word}" is no unit of time. ${timeRangeHint}`;
  if (digits === undefined && word.length === 1) return timeRangeHint;
  const amount = Number(digits ?? 1);
  if (amount < 1 || amount > AMOUNT_MAX) {
    return `The length must be from 1 to ${AMOUNT_MAX.toLocaleString('en-US')}.`;
  }
  return { kind: 'relative', amount, unit };
}

function absoluteRange(from: string, to: string): TimeRange | string {
  const start = pointInTime(from);
  if (start === undefined) return `"${from}" is no time. ${timeRangeHint}`;
  if (to.toLowerCase() === 'now') return { kind: 'absolute', start };
  const end = pointInTime(to);
  if (end === undefined) return `"${to}" is no time. ${timeRangeHint}`;
  if (Date.parse(start) >= Date.parse(end)) return 'The range must end after it starts.';
  return { kind: 'absolute', start, end };
}

/** A day, a day and a time, or RFC 3339, as RFC 3339; undefined if it is none. */
function pointInTime(text: string): string | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T\s]+(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text,
    );
  if (parts === null) return undefined;
  const [, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = parts;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = `${day}T${minutes}${seconds}${offset}`;
  return isTimestamp(time) ? time : undefined;
}

/** The range as it is sent. */
export function rangeParameters(range: TimeRange): RangeParameters {
  return range.kind === 'relative'
    ? { startTime: `now-${range.amount}${range.unit}`, endTime: 'now' }
    : { startTime: range.start, endTime: range.end ?? 'now' };
}

/** The range in words, as in the middle of a sentence: `last 15 minutes`. */
export function rangeLabel(range: TimeRange): string {
  if (range.kind === 'absolute') {
    const start = shortTime(range.start);
    if (range.end === undefined) return `since ${start}`;
    return `${start} to ${shortTime(range.end)}`;
  }
  const name = unitNames[range.unit];
  return `last ${range.amount} ${name}${range.amount === 1 ? '' : 's'}`;
}

/** The range as a person could type it again. */
export function rangeText(range: TimeRange): string {
  return range.kind === 'relative'
    ? `${range.amount}${range.unit}`
    : `${shortTime(range.start)} to ${range.end === undefined ? 'now' : shortTime(range.end)}`;
}

/** A time without what is zero: `2026-01-31`, `2026-01-31 08:30`. */
function shortTime(time: string): string {
  return time
    .replace(/Z$/, '')
    .replace('T', ' ')
    .replace(/ 00:00:00$/, '')
    .replace(/^(.{16}):00$/, '$1');
}
