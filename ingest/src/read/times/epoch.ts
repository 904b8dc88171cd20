// Converts numbers since 1970 with exact arithmetic, because a double has too few digits for nanoseconds.
import type { Instant } from '../../../../formats/src/rfc3339.ts';

export type EpochUnit = 's' | 'ms' | 'us' | 'ns';

/** For each unit, the power of ten that divides a second. */
const UNIT_DIGITS: Readonly<Record<EpochUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

const PATTERN = /^([+-]?)(\d{1,30})(?:\.(\d{0,30}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Parses a number since 1970. Digits beyond nanoseconds are rounded toward the past. */
export function parseEpoch(text: string, unit: EpochUnit): Instant | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  // Nanoseconds are the digits without the point, shifted by this many places.
  const shift = 9 - UNIT_DIGITS[unit] - fraction.length + Number(exponent);
  if (shift > 40) return undefined;
  const digits = BigInt(whole + fraction);
  let nanos: bigint;
  if (shift >= 0) nanos = digits * 10n ** BigInt(shift);
  else if (shift < -80) nanos = 0n;
  else {
    const divisor = 10n ** BigInt(-shift);
    nanos = digits / divisor;
    if (sign === '-' && digits % divisor !== 0n) nanos += 1n;
  }
  if (sign === '-') nanos = -nanos;
  if (nanos >= 1n << 63n || nanos < -(1n << 63n)) return undefined;
  let seconds = nanos / 1_000_000_000n;
  let remainder = nanos % 1_000_000_000n;
  if (remainder < 0n) {
    seconds -= 1n;
    remainder += 1_000_000_000n;
  }
  return { seconds: Number(seconds), nanos: Number(remainder) };
}

/** Guesses the unit from a number's magnitude. Each unit covers the years from 1973 to 5138. */
export function unitOf(size: number): EpochUnit {
  const absolute = Math.abs(size);
  return absolute < 1e11 ? 's' : absolute < 1e14 ? 'ms' : absolute < 1e17 ? 'us' : 'ns';
}
