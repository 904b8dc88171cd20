/** Scans JSON numbers: where they end, their value, and whether the value alone restores their text. */
import { Buffer } from 'node:buffer';
import { type Form, forms } from '../columns/values.ts';
import { digitsMax, longFraction, powersOfTen } from './longFraction.ts';

/** The maximum number of characters. Longer numbers are rejected, because no service writes them. */
const charactersMax = 4_096;

export const scanned: { value: number; form: Form } = { value: 0, form: forms.integer };

export const numberEnds = { incomplete: -1, invalid: -2, tooLong: -3 } as const;

/**
 * Scans the number at `start` into `scanned`. Returns its end, or one of `numberEnds`. A number that reaches `limit`,
 * the end of the received bytes, is incomplete.
 */
export function scanNumber(bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  const isNegative = bytes[at] === 0x2d;
  if (isNegative) at++;
  const wholeFrom = at;
  let mantissa = 0;
  let byte = 0;
  for (; at < limit; at++) {
    byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) break;
    mantissa = mantissa * 10 + byte - 0x30;
  }
  if (at >= limit)
    return limit - start > charactersMax ? numberEnds.tooLong : numberEnds.incomplete;
  const wholeDigits = at - wholeFrom;
  if (wholeDigits === 0 || (wholeDigits > 1 && bytes[wholeFrom] === 0x30))
    return numberEnds.invalid;
  if (byte !== 0x2e && (byte | 0x20) !== 0x65) {
    if (at - start > charactersMax) return numberEnds.tooLong;
    // The accumulated mantissa is exact up to 2^53, and larger mantissas remain larger when rounded.
    const isExact = mantissa <= Number.MAX_SAFE_INTEGER && (mantissa !== 0 || !isNegative);
    return found(isNegative ? -mantissa : mantissa, isExact ? forms.integer : forms.literal, at);
  }
  let fractionDigits = 0;
  if (byte === 0x2e) {
    at++;
    const from = at;
    for (; at < limit; at++) {
      byte = bytes[at] as number;
      if (byte < 0x30 || byte > 0x39) break;
      mantissa = mantissa * 10 + byte - 0x30;
    }
    if (at >= limit)
      return limit - start > charactersMax ? numberEnds.tooLong : numberEnds.incomplete;
    fractionDigits = at - from;
    if (fractionDigits === 0) return numberEnds.invalid;
  }
  if ((byte | 0x20) === 0x65) {
    at++;
    if (at < limit && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++;
    const from = at;
    while (at < limit && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++;
    if (at >= limit)
      return limit - start > charactersMax ? numberEnds.tooLong : numberEnds.incomplete;
    return at === from ? numberEnds.invalid : slowNumber(bytes, start, at);
  }
  const lastDigit = bytes[at - 1] as number;
  if (wholeDigits + fractionDigits <= 15) {
    // With up to fifteen digits, the quotient is the nearest double, and these digits are its shortest text.
    const value = mantissa / (powersOfTen[fractionDigits] as number);
    if (lastDigit !== 0x30 && value >= 1e-6)
      return found(isNegative ? -value : value, forms.fraction, at);
    if (fractionDigits === 1 && lastDigit === 0x30)
      return found(isNegative ? -value : value, forms.wholeWithPoint, at);
  }
  return longNumber(bytes, start, at, isNegative, fractionDigits);
}

/** Scans other fractions without an exponent: with more than 15 digits, less than 10^-6, or with a final zero. */
function longNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  isNegative: boolean,
  fractionDigits: number,
): number {
  if (fractionDigits >= powersOfTen.length || end - start > 30)
    return slowNumber(bytes, start, end);
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x30 || (digits > 0 && byte === 0x30)) digits++;
  }
  if (digits > digitsMax) return slowNumber(bytes, start, end);
  let upper = 0;
  let lower = 0;
  // Put the last nine digits into `lower`. The loop skips the decimal point.
  let left = end - start - (isNegative ? 1 : 0) - 1;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0) continue;
    if (left > 9) upper = upper * 10 + digit;
    else lower = lower * 10 + digit;
    left--;
  }
  const value =
    digits <= 15
      ? (upper * 1e9 + lower) / (powersOfTen[fractionDigits] as number)
      : longFraction(upper, lower, fractionDigits);
  if (bytes[end - 1] === 0x30 || !(value >= 1e-6)) return slowNumber(bytes, start, end);
  return found(isNegative ? -value : value, forms.fraction, end);
}

function slowNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > charactersMax) return numberEnds.tooLong;
  const text = latin1(bytes, start, end);
  const value = Number(text);
  const shortest = String(value);
  // JavaScript writes whole numbers from 10^21 on with an exponent, so they never need `.0`.
  const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21;
  if (!isWhole && shortest === text) return found(value, forms.fraction, end);
  const hasPoint = isWhole && `${shortest}.0` === text;
  return found(value, hasPoint ? forms.wholeWithPoint : forms.literal, end);
}

function found(value: number, form: Form, end: number): number {
  scanned.value = value;
  scanned.form = form;
  return end;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  // Reuse a buffer, because creating one from another array is slow. Received bytes are buffers already.
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset);
  return buffer.toString('latin1', from, to);
}
