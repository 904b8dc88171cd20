// Parses time ranges that users type: a duration, a period, a time, or two of these.
import { isTimestamp } from '../../../api/src/plain.ts';
import { grouped } from '../../../formats/src/counts.ts';
import { unitSeconds } from '../words/timeText.ts';
import {
  allTime,
  type Bound,
  boundNanoseconds,
  lengthUnits,
  type Period,
  periodNames,
  periodRange,
  SECOND,
  type TimeRange,
  type TimeUnit,
  timestamp,
  unitNames,
} from './timeRange.ts';
import { fromWall, type TimeZone, toWall } from './timeZone.ts';

const timeRangeHint = 'Examples: 30m, 24h, yesterday, last week, 19:00 to 20:00.';

const TEXT_LENGTH_MAX = 120;
const QUOTED_LENGTH_MAX = 40;
const AMOUNT_MAX = 1_000_000;
const DAY_MS = 86_400_000;

/** The current time in milliseconds since 1970, and the zone for times that don't state one. */
interface Clock {
  readonly at: number;
  readonly zone: TimeZone;
}

interface Point {
  readonly start: Bound;
  /** The exclusive end of a day or another period; absent for a point in time. */
  readonly end?: Bound;
  /** The start's date, which a range end without a date uses. Absent for relative times, months and years. */
  readonly date?: string;
}

/** Thrown for invalid input. The message names the part and gives examples. */
class Unreadable extends Error {}

/**
 * Parses a range. `at` is the current time in milliseconds since 1970, and `zone` applies to times that don't state
 * one. An end that is a period is included. Returns a message if the text isn't a range.
 */
export function parseTimeRange(
  text: string,
  at: number,
  zone: TimeZone = 'utc',
): TimeRange | string {
  const clock = { at, zone };
  try {
    return checked(readRange(normalized(text), clock), clock);
  } catch (error) {
    if (error instanceof Unreadable) return `${error.message} ${timeRangeHint}`.trim();
    throw error;
  }
}

function normalized(text: string): string {
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (typed === '') throw new Unreadable('');
  if (typed.length > TEXT_LENGTH_MAX) throw unreadable(typed, 'is not a time range');
  return (
    typed
      .replace(/^(?:in |over |for )?the (?=last |past )/, '')
      .replace(/^(last|past)(?=\d)/, '$1 ')
      // Convert notation from queries, such as `now()`.
      .replaceAll(/\bnow ?\( ?\)/g, 'now')
      .replaceAll(/\bago ?\(([^()]*)\)/g, '$1 ago')
      .replaceAll(/\bdatetime ?\(([^()]*)\)/g, '$1')
      .replaceAll(/\bnow\s*-\s*(?=\d)/g, 'now-')
      .replaceAll(/\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/g, '$1-$2-$3')
  );
}

const clockPattern = String.raw`\d{1,2}:\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m`;
const dateOnly = String.raw`\d{4}-\d{2}-\d{2}`;

/** Separators between a range's start and end. A slash or unspaced hyphen within a date isn't a separator. */
const separator = new RegExp(
  [
    String.raw`\s+(?:to|until|till|through|-|–|—)\s+`,
    String.raw`\s*(?:\.{2,3}|–|—|→)\s*`,
    `(?<=^(?:${dateOnly} )?(?:${clockPattern}))-(?=(?:${clockPattern})$)`,
    String.raw`(?<=^\d{9,20})-(?=\d{9,20}$)`,
    String.raw`(?<=\d|z)(?:/|, ?)(?=${dateOnly})`,
    String.raw`(?<=^\d{9,20}), ?(?=\d{9,20}$)`,
    `(?<=^${dateOnly}) (?=${dateOnly}$)`,
  ].join('|'),
);

function readRange(typed: string, clock: Clock): TimeRange {
  if (typed === 'all time' || typed === 'all') return allTime;
  const between = /^between (.+) and (.+)$/.exec(typed);
  const parts = between ? between.slice(1) : typed.replace(/^from /, '').split(separator);
  const [from = '', to, ...more] = parts;
  if (more.length > 0) throw unreadable(typed, 'has more than two ends');
  if (to === undefined) {
    const since = /^(?:since|after) (.+)$/.exec(typed)?.[1];
    const { start, end } = readPoint(since ?? from, clock);
    return { start, end: (since === undefined && !typed.startsWith('from ') && end) || nowBound };
  }
  if (from === '' || to === '') throw unreadable(typed, 'has only one end');
  const zone = zoneOf(from) ?? zoneOf(to);
  const start = readPoint(withZone(from, zone), clock);
  const end = readPoint(withZone(to, zone), clock, start);
  return { start: start.start, end: end.end ?? end.start };
}

const nowBound: Bound = { kind: 'now' };

/** Returns the range. Throws if it ends before it starts or is outside the calendar. */
function checked(range: TimeRange, { at, zone }: Clock): TimeRange {
  const [start, end] = [range.start, range.end].map((bound) => {
    const nanoseconds = boundNanoseconds(bound, at, zone);
    if (timestamp(nanoseconds) === undefined) throw new Unreadable('The range is too long.');
    return nanoseconds;
  }) as [bigint, bigint];
  // Allow an empty range for "today", which is empty at midnight.
  const starting = range.start.kind === 'startOf' && range.end.kind === 'now';
  if (start > end || (start === end && !starting)) {
    const [from, to] = [timestamp(start), timestamp(end)];
    throw new Unreadable(`The range must end after it starts: ${from} is not before ${to}.`);
  }
  return range;
}

// Parsers for a point in time. They return undefined for other text, and throw for impossible dates.

type Form = (text: string, clock: Clock, start: Point | undefined) => Point | undefined;

const forms: readonly Form[] = [now, period, epoch, timeOfDay, dateAndTime, date, month, year, ago];

function readPoint(text: string, clock: Clock, start?: Point): Point {
  for (const form of forms) {
    const point = form(text, clock, start);
    if (point) return point;
  }
  throw unreadable(text, 'is not a time or a length of time');
}

function now(text: string): Point | undefined {
  return text === 'now' ? { start: nowBound, end: nowBound } : undefined;
}

const periods = new Map<string, readonly [Period, 0 | 1]>(
  (Object.keys(periodNames) as Period[]).flatMap((name) => [
    [periodNames[name][0], [name, 0]] as const,
    [periodNames[name][1], [name, 1]] as const,
    [`this ${name}`, [name, 0]] as const,
    [`current ${name}`, [name, 0]] as const,
    [`previous ${name}`, [name, 1]] as const,
  ]),
);

function period(text: string): Point | undefined {
  const found = periods.get(text);
  return found && periodRange(...found);
}

/** The maximum number of digits, by unit, of epoch times from 1973 to 5138. */
const epochUnits: readonly (readonly [digits: number, nanoseconds: bigint])[] = [
  [11, SECOND],
  [14, SECOND / 1_000n],
  [17, SECOND / 1_000_000n],
  [20, 1n],
];

function epoch(text: string): Point | undefined {
  const [, digits = '', fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (digits.length < 9) return undefined;
  const unit = epochUnits.find(([most]) => digits.length <= most)?.[1];
  if (unit === undefined || (fraction !== '' && unit !== SECOND))
    throw unreadable(text, 'is not a number of seconds, ms, µs or ns since 1970');
  return moment(BigInt(digits) * unit + BigInt(fraction.padEnd(9, '0')), text);
}

const zonePattern = String.raw`z|utc|gmt|[+-]\d{2}:?\d{2}`;
const timePattern = String.raw`\d{1,2}(?::\d{2}){1,2}(?:[.,]\d+)?(?:\s*[ap]m)?|\d{1,2}\s*[ap]m`;
const timeText = new RegExp(`^(${timePattern})\\s*(${zonePattern})?$`);
const zonedText = new RegExp(`(?:${timePattern})\\s*(${zonePattern})$`);
const dayPattern = String.raw`today|yesterday|\d{4}-\d{1,2}-\d{1,2}`;
const dateText = new RegExp(`^(${dayPattern})(?: (utc|gmt|z))?$`);
const dateTimeText = new RegExp(`^(${dayPattern})(?:t|,? (?:at )?)(\\d.*)$`);

function zoneOf(text: string): string | undefined {
  return zonedText.exec(text)?.[1];
}

/** Adds the other bound's zone to a time that doesn't state one. */
function withZone(text: string, zone: string | undefined): string {
  const lacks = zone !== undefined && new RegExp(`(?:${timePattern})$`).test(text);
  return lacks && !zonedText.test(text) ? `${text} ${zone}` : text;
}

/**
 * Parses a time of day. Without a date, it is the first such time after a dated start, or else in the last 24 hours.
 */
function timeOfDay(text: string, clock: Clock, start: Point | undefined): Point | undefined {
  const { at, zone } = clock;
  if (!timeText.test(text)) return undefined;
  const day = start?.date ?? wallDay(toWall(at, zone));
  const here = instant(day, text, zone);
  if (start?.date !== undefined) {
    const begun = boundNanoseconds(start.start, at, zone);
    return moment(here <= begun ? instant(dayAfter(day, 1), text, zone) : here, text, day);
  }
  if (here <= BigInt(at) * 1_000_000n) return moment(here, text, day);
  const before = dayAfter(day, -1);
  return moment(instant(before, text, zone), text, before);
}

function dateAndTime(text: string, clock: Clock): Point | undefined {
  const [, day, time] = dateTimeText.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  if (!timeText.test(time)) throw unreadable(time, 'is not a time of day');
  const written = calendarDate(day, clock);
  return moment(instant(written, time, clock.zone), text, written);
}

function date(text: string, clock: Clock): Point | undefined {
  const day = dateText.exec(text)?.[1];
  if (day === undefined) return undefined;
  const zone = dateText.exec(text)?.[2] === undefined ? clock.zone : 'utc';
  const written = calendarDate(day, { ...clock, zone });
  return { ...dayRange(written, dayAfter(written, 1), text, zone), date: written };
}

function month(text: string, { zone }: Clock): Point | undefined {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (Number(number) < 1 || Number(number) > 12) throw unreadable(text, 'is not a month');
  const first = `${text}-01`;
  return dayRange(first, `${dayAfter(first, 31).slice(0, 7)}-01`, text, zone);
}

function year(text: string, { zone }: Clock): Point | undefined {
  if (!/^(?:19|20)\d{2}$/.test(text)) return undefined;
  return dayRange(`${text}-01-01`, `${Number(text) + 1}-01-01`, text, zone);
}

function dayRange(first: string, end: string, text: string, zone: TimeZone): Point {
  const times = [`${first}T00:00:00Z`, `${end}T00:00:00Z`];
  if (!times.every(isTimestamp)) throw unreadable(text, 'is beyond the calendar');
  const [from, to] = times.map((time) => {
    const midnight = timestamp(BigInt(fromWall(Date.parse(time), zone)) * 1_000_000n);
    if (midnight === undefined) throw unreadable(text, 'is beyond the calendar');
    return midnight;
  }) as [string, string];
  return { start: { kind: 'at', time: from }, end: { kind: 'at', time: to } };
}

/** Returns a day as `2026-01-31`. */
function calendarDate(day: string, { at, zone }: Clock): string {
  if (day === 'today') return wallDay(toWall(at, zone));
  if (day === 'yesterday') return wallDay(toWall(at, zone) - DAY_MS);
  const [year = '', month = '', number = ''] = day.split('-');
  const written = `${year}-${month.padStart(2, '0')}-${number.padStart(2, '0')}`;
  if (!isTimestamp(`${written}T00:00:00Z`)) throw unreadable(day, 'is not a date');
  return written;
}

function wallDay(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns a time of day on a date as nanoseconds since 1970. 24:00 is the next midnight. */
function instant(day: string, text: string, ownZone: TimeZone): bigint {
  const [, time = '', zone] = timeText.exec(text) ?? [];
  const [clock = '', half] = time.split(/\s*([ap])m$/);
  const [whole = '', fraction = ''] = clock.split(/[.,]/);
  const [hours = 0, minutes = 0, seconds = 0] = whole.split(':').map(Number);
  const hour = half === undefined ? hours : (hours % 12) + (half === 'p' ? 12 : 0);
  const possible =
    minutes <= 59 &&
    seconds <= 59 &&
    (half === undefined
      ? hours <= 23 || (hours === 24 && minutes + seconds === 0)
      : hours >= 1 && hours <= 12);
  if (!possible) throw unreadable(time, 'is not a time of day');
  const [, sign, east = '00', rest = '00'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? [];
  if (Number(east) > 23 || Number(rest) > 59) throw unreadable(zone ?? '', 'is not a time zone');
  const offset = (Number(east) * 60 + Number(rest)) * (sign === '-' ? -1 : 1);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const wall = midnight + ((hour * 60 + minutes - offset) * 60 + seconds) * 1_000;
  const milliseconds = fromWall(wall, zone === undefined ? ownZone : 'utc');
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

function moment(nanoseconds: bigint, text: string, day?: string): Point {
  const time = timestamp(nanoseconds);
  if (time === undefined) throw unreadable(text, 'is beyond the calendar');
  return { start: { kind: 'at', time }, ...(day !== undefined && { date: day }) };
}

// Parsers for durations before now: 45m, last 2 hours, now-1d, 1h 30m ago.

const unitWords = new Map<string, TimeUnit>([
  ...(Object.keys(unitNames) as TimeUnit[]).flatMap((unit) =>
    [unit, unitNames[unit], `${unitNames[unit]}s`].map((word) => [word, unit] as const),
  ),
  ...(
    [
      ['s', ['sec', 'secs']],
      ['m', ['min', 'mins']],
      ['h', ['hr', 'hrs']],
      ['w', ['wk', 'wks']],
      ['mo', ['mon', 'mos']],
      ['y', ['yr', 'yrs']],
    ] as const
  ).flatMap(([unit, words]) => words.map((word) => [word, unit] as const)),
]);

function ago(text: string): Point | undefined {
  const length = text.replace(/^(?:now-|- ?|last |past )/, '').replace(/ ago$/, '');
  if (!/[\p{L}\d]/u.test(length)) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(length))
    throw unreadable(
      length,
      `needs a unit, such as ${length.slice(0, 9)}m or ${length.slice(0, 9)}h`,
    );
  const unit = length.length > 1 ? unitWords.get(length) : undefined;
  if (unit) return { start: { kind: 'ago', amount: 1, unit } };
  const parts: { amount: number; unit: TimeUnit }[] = [];
  const part = /(\d+(?:\.\d+)?|an?\b|one\b) ?([a-zµ]+)(?:,? and |,? ?)/y;
  while (part.lastIndex < length.length) {
    const [, number = '', word = ''] = part.exec(length) ?? [];
    if (word === '') return undefined;
    const unit = unitWords.get(word);
    if (unit === undefined)
      throw unreadable(word, 'is not a unit of time. Use s, m, h, d, w, mo or y');
    parts.push({ amount: /^\d/.test(number) ? Number(number) : 1, unit });
  }
  return { start: { kind: 'ago', ...total(parts, length) } };
}

/** Returns the sum as an integral amount of one unit: for several parts or a fraction, the largest exact unit. */
function total(
  parts: readonly { readonly amount: number; readonly unit: TimeUnit }[],
  text: string,
): { amount: number; unit: TimeUnit } {
  const [only, ...more] = parts;
  if (only && more.length === 0 && Number.isInteger(only.amount)) return within(only);
  let seconds = 0;
  for (const { amount, unit } of parts) {
    const each = unitSeconds[unit];
    if (each === undefined)
      throw unreadable(text, 'has months or years in a sum or a fraction; they must be whole');
    seconds += amount * each;
  }
  seconds = Math.round(seconds);
  const unit = lengthUnits.find((name) => seconds % (unitSeconds[name] as number) === 0) ?? 's';
  return within({ amount: seconds / (unitSeconds[unit] as number), unit });
}

function within(length: { readonly amount: number; readonly unit: TimeUnit }) {
  const { amount, unit } = length;
  if (amount >= 1 && amount <= AMOUNT_MAX) return { amount, unit };
  throw new Unreadable(`A length is from 1 to ${grouped(AMOUNT_MAX)} units.`);
}

function unreadable(part: string, what: string): Unreadable {
  const quoted = part.length > QUOTED_LENGTH_MAX ? `${part.slice(0, QUOTED_LENGTH_MAX)}…` : part;
  return new Unreadable(`"${quoted}" ${what}.`);
}
