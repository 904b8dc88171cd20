/** Converts times between strings and nanoseconds since 1970. The engine can store times from 1677 to 2262. */
import { parseRfc3339Nanos } from '../../formats/src/rfc3339.ts';

export const NANOS_PER_MS = 1_000_000n;

/** The earliest time that the engine can format is 1677-09-22. */
export const TIME_MIN = -106_751n * 86_400_000_000_000n;

/** Later than any time that can be stored. The end of an unbounded range. */
export const TIME_END = 2n ** 63n - 1n;

/** Returns nanoseconds since 1970, in microsecond steps if the system's clock allows. */
export function nowNanos(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a time in RFC 3339. Omits trailing zeros of the fraction. */
export function formatNanos(nanos: bigint): string {
  const second = nanos / 1_000_000_000n - (nanos % 1_000_000_000n < 0n ? 1n : 0n);
  const rest = nanos - second * 1_000_000_000n;
  const whole = new Date(Number(second) * 1_000).toISOString().slice(0, 19);
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};

/**
 * Parses a bound of a query's range to nanoseconds since 1970: RFC 3339, `now`, or `now-` with a number and s, m, h, d
 * or w. The result may be out of the engine's range.
 */
export function parseQueryTime(text: string, now: bigint): bigint | undefined {
  const relative = /^now(?:-(\d{1,18})([smhdw]))?$/.exec(text);
  if (relative !== null) {
    const [, amount, unit] = relative;
    return unit === undefined ? now : now - BigInt(amount!) * UNIT_NANOS[unit]!;
  }
  return parseRfc3339Nanos(text);
}

export function clampTime(nanos: bigint): bigint {
  if (nanos < TIME_MIN) return TIME_MIN;
  return nanos > TIME_END ? TIME_END : nanos;
}
