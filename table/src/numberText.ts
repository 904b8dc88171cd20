/**
 * Formats numbers and shares for display. Computed numbers have thousands separators, but cells don't. Fractions are
 * rounded to 15 significant digits, because every double preserves that many. Hovers and the clipboard have all digits.
 */

const significantDigits = 15;
const decimal = /^(-?)(\d+)(\.\d+)?$/;

/** Removes the rounding error from a sum of doubles: `3023.2459999999996` becomes `3023.246`. */
export function roundedNumber(text: string): string {
  const [, , whole = '', fraction] = decimal.exec(text) ?? [];
  if (fraction === undefined) return text;
  const digits = `${whole}${fraction.slice(1)}`.replace(/^0+/, '');
  return digits.length > significantDigits
    ? String(Number(Number(text).toPrecision(significantDigits)))
    : text;
}

/** Adds thousands separators and keeps all digits. Returns other text unchanged. */
export function groupedNumber(text: string): string {
  const [, sign, whole, fraction = ''] = decimal.exec(text) ?? [];
  return whole === undefined ? text : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** Formats a computed number: rounded, with thousands separators. */
export function figureNumber(text: string): string {
  return groupedNumber(roundedNumber(text));
}

/** Returns the number of displayed decimals. */
export function decimalsOf(text: string): number {
  return decimal.exec(roundedNumber(text))?.[3]?.slice(1).length ?? 0;
}

/** Whether a wire type is numeric, so that its column is right-aligned. */
export function isNumeric(type: string): boolean {
  return type.split('|').every((part) => part === 'integer' || part === 'float');
}

/** Whether the double may represent several integers, so that only exact text distinguishes them. */
export function isBeyondExact(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Formats a share as a percentage with one decimal, such as `<0.1%` if it would round to zero. */
export function shareText(share: number): string {
  const size = Math.abs(share);
  if (size > 0 && size < 0.0005) return `${share < 0 ? '>-' : '<'}0.1%`;
  if (size > 0.9995 && size < 1) return `${share < 0 ? '<-' : '>'}99.9%`;
  return `${percent().format(share * 100)}%`;
}

let percentFormat: Intl.NumberFormat | undefined;

/** Creates the number format on first use, because loading `Intl` delays activation. */
function percent(): Intl.NumberFormat {
  percentFormat ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return percentFormat;
}
