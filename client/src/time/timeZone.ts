// Clocks in the two display time zones. A wall time is a number of milliseconds whose UTC fields are those of the
// clock, so that the same calendar code serves both zones.
import { utcOffset } from '../words/timeText.ts';

export type TimeZone = 'utc' | 'local';

const MINUTE_MS = 60_000;

export function toWall(time: number, zone: TimeZone): number {
  return zone === 'utc' ? time : time - new Date(time).getTimezoneOffset() * MINUTE_MS;
}

/** Converts a wall time to a time. `Date` resolves skipped and repeated hours. */
export function fromWall(wall: number, zone: TimeZone): number {
  if (zone === 'utc') return wall;
  const shown = new Date(wall);
  const date = new Date(2000, 0, 1, shown.getUTCHours(), shown.getUTCMinutes());
  date.setFullYear(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate());
  date.setHours(shown.getUTCHours(), shown.getUTCMinutes(), shown.getUTCSeconds());
  date.setMilliseconds(shown.getUTCMilliseconds());
  return date.getTime();
}

/** Converts RFC 3339 in UTC to the digits on the zone's clock. Keeps the fraction. */
export function wallText(time: string, zone: TimeZone): string {
  if (zone === 'utc' || time === '') return time;
  const [, fraction = ''] = /(\.\d+)Z$/.exec(time) ?? [];
  const whole = Date.parse(time.replace(/\.\d+/, ''));
  return `${new Date(toWall(whole, zone)).toISOString().slice(0, -5)}${fraction}Z`;
}

/** Returns `UTC` or the zone's offset at a time: `UTC+01:00`. */
export function offsetName(time: number, zone: TimeZone): string {
  const minutes = Math.round((toWall(time, zone) - time) / MINUTE_MS);
  return minutes === 0 ? 'UTC' : utcOffset(minutes);
}

/** Returns the zone's date at a time, such as `2026-01-31`. */
export const dateText = (time: number, zone: TimeZone): string =>
  new Date(toWall(time, zone)).toISOString().slice(0, 10);

/** Returns the zone's time of day: `09:05 UTC` for UTC, or `09:05` for this machine's zone. */
export function timeOfDay(time: number, zone: TimeZone): string {
  const text = new Date(toWall(time, zone)).toISOString().slice(11, 16);
  return zone === 'utc' ? `${text} UTC` : text;
}
