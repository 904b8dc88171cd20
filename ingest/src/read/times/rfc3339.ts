// Parses RFC 3339: a date, `T`, a time with any fraction, and an offset. Spaces and lowercase letters are rejected,
// because services differ there.
import { daysInMonth, daysOf, type Instant } from './instant.ts';

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses a time. Digits beyond nanoseconds are dropped, as in the service. */
export function parseRfc3339(text: string): Instant | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  let seconds = daysOf(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  if (match[8] !== undefined) {
    const hours = Number(match[9]);
    const minutes = Number(match[10]);
    if (hours > 23 || minutes > 59) return undefined;
    const offset = hours * 3600 + minutes * 60;
    seconds += match[8] === '-' ? offset : -offset;
  }
  return { seconds, nanos: nanosOf(match[7]) };
}

/** Converts a fraction's digits to nanoseconds. */
export function nanosOf(digits: string | undefined): number {
  if (digits === undefined) return 0;
  const length = Math.min(digits.length, 9);
  let nanos = 0;
  for (let index = 0; index < length; index += 1)
    nanos = nanos * 10 + digits.charCodeAt(index) - 48;
  return nanos * (POWERS[9 - length] as number);
}

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;
