/**
 * Fractions of 16 and 17 significant digits, as doubles are written that are not round: their nearest double,
 * and whether JavaScript writes that double with the same digits. With the arithmetic of doubles alone, because
 * asking JavaScript for the text of a double takes ten times longer; what is too close to call is left to it.
 */

/** A mantissa of more digits is not handled here. */
export const digitsMax = 17;

export const powersOfTen = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
/** For splitting a double into halves whose products are exact. */
const splitter = 2 ** 27 + 1;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/**
 * The nearest double of `(upper * 10^9 + lower) / 10^fractionDigits`, where JavaScript writes that double with
 * the same digits; NaN where it does not, or where that is too close to call. The mantissa has 16 or 17 digits,
 * `fractionDigits` is at most 22.
 */
export function longFraction(upper: number, lower: number, fractionDigits: number): number {
  const power = powersOfTen[fractionDigits] as number;
  // The product is exact: 10^9 has a factor of 2^9. The mantissa is head + tail.
  const product = upper * 1e9;
  const head = product + lower;
  const tail = lower - (head - product);
  // The quotient, and what is missing of it: quotient * power as an exact sum of two doubles.
  const quotient = head / power;
  const times = quotient * power;
  const missing = (head - times - productError(quotient, power, times) + tail) / power;
  const value = quotient + missing;
  /** The exact fraction is `value + rest`. */
  const rest = quotient - value + missing;
  double[0] = value;
  const high = words[1] as number;
  // The doubles on the two sides of a power of two are not equally far away.
  if ((high & 0xfffff) === 0 && words[0] === 0) return Number.NaN;
  const half = 2 ** (((high >>> 20) & 0x7ff) - 1076);
  // A margin of 2^-20 of the half is far above the errors of the arithmetic here.
  const margin = half * 2 ** -20;
  if (Math.abs(rest) > half - margin) return Number.NaN;
  const unit = 1 / power;
  // Another mantissa of as many digits may be closer to the double.
  if (Math.abs(rest) > unit * 0.499) return Number.NaN;
  // One digit less must not lead to the same double, on either side.
  const last = lower % 10;
  const below = Math.abs(rest - last * unit);
  const above = Math.abs(rest + (10 - last) * unit);
  if (below < half + margin || above < half + margin) return Number.NaN;
  return value;
}

/** `left * right - product`, exactly, for `product` as it was rounded (Dekker). */
function productError(left: number, right: number, product: number): number {
  const leftShifted = left * splitter;
  const leftHigh = leftShifted - (leftShifted - left);
  const leftLow = left - leftHigh;
  const rightShifted = right * splitter;
  const rightHigh = rightShifted - (rightShifted - right);
  const rightLow = right - rightHigh;
  return (
    leftLow * rightLow -
    (product - leftHigh * rightHigh - leftLow * rightHigh - leftHigh * rightLow)
  );
}
