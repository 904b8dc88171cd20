/** Reads times from text, and writes them as text in UTC. */
import { parseRfc3339, parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';
import type { Store } from './store.ts';
import { kinds } from './values.ts';

export interface Times {
  /** Returns milliseconds since 1970, with fractions; `NaN` if there is no time. */
  milliseconds(row: number): number;
  /** Returns nanoseconds since 1970; undefined if there is no time. */
  nanos(row: number): bigint | undefined;
  /** RFC 3339 in UTC. */
  text(row: number): string;
}

export function timesOfTexts(store: Store): Times {
  const textOf = (row: number) =>
    store.isNull(row) || store.kind(row) !== kinds.text ? '' : store.textOf(row);
  return {
    milliseconds: (row) => timeOfText(textOf(row)),
    nanos: (row) => parseRfc3339Nanos(textOf(row)),
    text: (row) => utcText(textOf(row)),
  };
}

/** Parses a time to nanoseconds since 1970. The string must be a valid time. */
export const nanosOf = (text: string): bigint => parseRfc3339Nanos(text) as bigint;

/** Parses RFC 3339 to milliseconds since 1970; `NaN` for anything else. */
export function timeOfText(text: unknown): number {
  const instant = typeof text === 'string' ? parseRfc3339(text) : undefined;
  return instant === undefined ? Number.NaN : instant.seconds * 1000 + instant.nanos / 1e6;
}

/** Converts a time in another zone to UTC with the same precision. Returns other strings unchanged. */
export function utcText(text: string): string {
  const instant = /[Zz]$/.test(text) ? undefined : parseRfc3339(text);
  return instant === undefined ? text : formatTime(instant.seconds, instant.nanos, -1, 'T', 'Z');
}

let formattedDay = Number.NaN;
let formattedDate = '';

/** Formats a time with `digits` fractional digits; with as many digits as needed if `digits` is -1. */
export function formatTime(
  seconds: number,
  nanos: number,
  digits: number,
  separator: string,
  zone: string,
): string {
  const day = Math.floor(seconds / 86_400);
  if (day !== formattedDay) {
    formattedDay = day;
    formattedDate = new Date(day * 86_400_000).toISOString().slice(0, 10);
  }
  const rest = seconds - day * 86_400;
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor((rest - hour * 3600) / 60);
  const clock = `${twoPlaces(hour)}:${twoPlaces(minute)}:${twoPlaces(rest - hour * 3600 - minute * 60)}`;
  let fraction = '';
  if (digits > 0) fraction = `.${String(nanos).padStart(9, '0').slice(0, digits)}`;
  else if (digits < 0 && nanos > 0)
    fraction = `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${formattedDate}${separator}${clock}${fraction}${zone}`;
}

function twoPlaces(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** Formats nanoseconds since 1970 as RFC 3339 in UTC with nine fractional digits. */
export function timeText(nanos: bigint): string {
  const rest = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((nanos - rest) / 1_000_000_000n);
  return formatTime(seconds, Number(rest), 9, 'T', 'Z');
}
