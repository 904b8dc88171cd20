// Instants with nanosecond precision, as the service stores them, and their text.
import type { Instant } from '../../../../formats/src/rfc3339.ts';

/** The range of 64-bit nanoseconds: 1677-09-21 to 2262-04-11. */
const MIN_SECONDS = -9_223_372_036;
const MAX_SECONDS = 9_223_372_035;

export function isStorable({ seconds }: Instant): boolean {
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
}

export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Formats an instant as RFC 3339 in UTC with nine fractional digits, for years from 0 to 9999. */
export function formatInstant(instant: Instant): string {
  const bytes = Buffer.alloc(INSTANT_BYTES);
  writeInstant(bytes, 0, instant);
  return bytes.toString('latin1');
}

/** Number of bytes that `writeInstant` writes. */
export const INSTANT_BYTES = 30;

// The last date is cached, because most consecutive times share a day.
let lastDay = Number.NaN;
const lastDate = Buffer.alloc(11);

/** Writes RFC 3339 in UTC with nine fractional digits: `INSTANT_BYTES` bytes of ASCII. */
export function writeInstant(bytes: Buffer, start: number, { seconds, nanos }: Instant): void {
  const day = Math.floor(seconds / 86_400);
  if (day !== lastDay) {
    lastDate.write(`${dateOf(day)}T`, 'latin1');
    lastDay = day;
  }
  for (let index = 0; index < 11; index += 1) bytes[start + index] = lastDate[index] as number;
  const time = seconds - day * 86_400;
  const hour = Math.floor(time / 3600);
  const minute = Math.floor(time / 60) % 60;
  const second = time % 60;
  let at = start + 11;
  at = writeTwo(bytes, at, hour);
  bytes[at++] = COLON;
  at = writeTwo(bytes, at, minute);
  bytes[at++] = COLON;
  at = writeTwo(bytes, at, second);
  bytes[at] = POINT;
  let rest = nanos;
  for (let place = 9; place > 0; place -= 1) {
    const next = Math.floor(rest / 10);
    bytes[at + place] = ZERO + rest - next * 10;
    rest = next;
  }
  bytes[at + 10] = ZULU;
}

const ZERO = 0x30;
const COLON = 0x3a;
const POINT = 0x2e;
const ZULU = 0x5a;

function writeTwo(bytes: Buffer, at: number, value: number): number {
  const tens = Math.floor(value / 10);
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + value - tens * 10;
  return at + 2;
}

function dateOf(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
