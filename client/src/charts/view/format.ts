/** Formats numbers and times for charts. */
import { figureNumber, isBeyondExact } from '../../../../table/src/numberText.ts';
import { visibleText } from '../../../../table/src/visibleText.ts';
import { withUnit } from '../../webview/page/units.ts';
import { utcOffset } from '../../words/timeText.ts';

const compact = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
});
const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** Formats a number compactly with its unit, for axes and labels. */
export function shortNumber(value: number, unit?: string): string {
  if (!Number.isFinite(value)) return '';
  const inUnit = unit === undefined ? undefined : withUnit(String(value), unit);
  if (inUnit !== undefined) return inUnit;
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential(2).replace('+', '');
  return size >= 10_000 ? compact.format(value) : small.format(value);
}

/**
 * Formats a number with thousands separators and its unit. Rounds fractions to 15 digits. Keeps other text unchanged.
 */
export function exactNumber(text: string, unit?: string): string {
  const inUnit = unit === undefined ? undefined : withUnit(text, unit);
  return inUnit ?? `${figureNumber(text)}${unit === undefined ? '' : ` ${visibleText(unit)}`}`;
}

/** Formats a value as `exactNumber` does; `null` if there is no value. */
export function exactText({
  text,
  unit,
}: {
  readonly text?: string;
  readonly unit?: string;
}): string {
  return text === undefined ? 'null' : exactNumber(text, unit);
}

/** Formats a drawn number. Rounds it and marks it with `≈` if its double may represent several integers. */
export function drawnNumber(value: number, unit?: string): string {
  return isBeyondExact(value) ? `≈ ${shortNumber(value, unit)}` : exactNumber(String(value), unit);
}

/**
 * Formats a time such as `2026-01-31 08:30:00`, without the parts that `step` makes redundant. Adds the UTC offset to a
 * local time near a clock change, because the time may occur twice.
 */
export function timeText(milliseconds: number, timeZone: 'utc' | 'local', step = 0): string {
  const text = clockText(milliseconds, timeZone, step);
  const isTime = text.length > 10 && timeZone === 'local';
  return isTime && isNearShift(milliseconds)
    ? `${text} ${utcOffset(offsetAt(milliseconds))}`
    : text;
}

const hour = 3_600_000;
const offsetAt = (time: number) => -new Date(time).getTimezoneOffset();

function isNearShift(time: number): boolean {
  return offsetAt(time - hour) !== offsetAt(time) || offsetAt(time + hour) !== offsetAt(time);
}

function clockText(milliseconds: number, timeZone: 'utc' | 'local', step: number): string {
  const offset = timeZone === 'utc' ? 0 : offsetAt(milliseconds) * 60_000;
  const date = new Date(milliseconds + offset);
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', clock = ''] = date.toISOString().slice(0, -1).split('T');
  if (step >= 86_400_000 && clock === '00:00:00.000') return day;
  if (step >= 60_000 && clock.endsWith(':00.000')) return `${day} ${clock.slice(0, 5)}`;
  return `${day} ${clock.replace('.000', '')}`;
}

/** Formats a span, and omits the second day if it is the same: `2026-01-31 08:30 – 08:35`. */
export function spanText(from: number, to: number, timeZone: 'utc' | 'local'): string {
  const step = to - from;
  const [first, last] = [timeText(from, timeZone, step), timeText(to, timeZone, step)];
  const sameDay = first.slice(0, 10) === last.slice(0, 10) && last.length > 10;
  return `${first} – ${sameDay ? last.slice(11) : last}`;
}
