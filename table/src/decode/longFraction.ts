/**
 * Parses fractions of 16 or 17 significant digits with double arithmetic alone, because having JavaScript convert a
 * double to text takes ten times longer. Leaves cases that are too close to decide to JavaScript's conversion.
 */

/** The maximum number of digits that this module handles. */
export const digitsMax = 17;

export const powersOfTen = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Splits a double into halves whose products are exact. */
const splitter = 2 ** 27 + 1;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/**
 * Returns the double nearest to `(upper * 10^9 + lower) / 10^fractionDigits` if JavaScript writes it with the same
 * digits; NaN if it doesn't or if this is too close to decide. The mantissa has 16 or 17 digits, and `fractionDigits`
 * is at most 22.
 */
export function longFraction(upper: number, lower: number, fractionDigits: number): number {
  const power = powersOfTen[fractionDigits] as number;
  // The product is exact, because 10^9 contains the factor 2^9. The mantissa is head + tail.
  const product = upper * 1e9;
  const head = product + lower;
  const tail = lower - (head - product);
  // The quotient and its error: the exact value of `quotient * power` is a sum of two doubles.
  const quotient = head / power;
  const times = quotient * power;
  const missing = (head - times - productError(quotient, power, times) + tail) / power;
  const value = quotient + missing;
  /** The exact fraction is `value + rest`. */
  const rest = quotient - value + missing;
  double[0] = value;
  const high = words[1] as number;
  // Give up at a power of two, where the neighboring doubles aren't equally distant.
  if ((high & 0xfffff) === 0 && words[0] === 0) return Number.NaN;
  const half = 2 ** (((high >>> 20) & 0x7ff) - 1076);
  // A margin of 2^-20 of the half distance is far above the rounding errors here.
  const margin = half * 2 ** -20;
  if (Math.abs(rest) > half - margin) return Number.NaN;
  const unit = 1 / power;
  // Give up, because another mantissa with as many digits may be closer to the double.
  if (Math.abs(rest) > unit * 0.499) return Number.NaN;
  // Give up if one of the adjacent mantissas with one digit fewer may yield the same double.
  const last = lower % 10;
  const below = Math.abs(rest - last * unit);
  const above = Math.abs(rest + (10 - last) * unit);
  if (below < half + margin || above < half + margin) return Number.NaN;
  return value;
}

/** Returns the exact value of `left * right - product`, where `product` is the rounded product (Dekker). */
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
