// Formats parts of times for use in sentences, for hosts and pages.
import { counted } from '../../../formats/src/counts.ts';

/** The seconds in each unit of fixed length, by the unit's abbreviation in time ranges. */
export const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

const lengths = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats whole seconds in the largest unit that divides them: `15 minutes`, `1 hour`. */
export function lengthInWords(seconds: number): string {
  const [size, name] = lengths.find(([length]) => seconds % length === 0) ?? lengths[3];
  return counted(seconds / size, name);
}

/** Formats an offset from UTC in minutes: `UTC+02:00`. */
export function utcOffset(minutes: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

/** Formats a first and a last time: `2015-01-01 to 2015-12-31`, or `2015-01-01 08:00 to 09:30 UTC`. */
export function endsInWords({
  first,
  last,
}: {
  readonly first: string;
  readonly last: string;
}): string {
  const [firstDay, lastDay] = [first.slice(0, 10), last.slice(0, 10)];
  if (firstDay !== lastDay) return `${firstDay} to ${lastDay}`;
  const [from, to] = [first.slice(11, 16), last.slice(11, 16)];
  return from === to ? `${firstDay} ${from} UTC` : `${firstDay} ${from} to ${to} UTC`;
}
