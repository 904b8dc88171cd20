/**
 * Numbers and shares as a person reads them. Cells show values as the data has them, without separators of
 * thousands; figures that are computed here have them. No more than 15 digits are shown, as many as every double
 * keeps: the others are on hover and on the clipboard.
 */

const significantDigits = 15;
const decimal = /^(-?)(\d+)(\.\d+)?$/;

/** A number without the digits in which sums of doubles differ by rounding: `3023.246` for `3023.2459999999996`. */
export function roundedNumber(text: string): string {
  const [, , whole = '', fraction] = decimal.exec(text) ?? [];
  if (fraction === undefined) return text;
  const digits = `${whole}${fraction.slice(1)}`.replace(/^0+/, '');
  return digits.length > significantDigits
    ? String(Number(Number(text).toPrecision(significantDigits)))
    : text;
}

/** All digits of a number, with separators of thousands; other text as it is. */
export function groupedNumber(text: string): string {
  const [, sign, whole, fraction = ''] = decimal.exec(text) ?? [];
  return whole === undefined ? text : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** A number that was computed here: rounded, with separators of thousands. */
export function figureNumber(text: string): string {
  return groupedNumber(roundedNumber(text));
}

/** The digits after the point that are shown of a number. */
export function decimalsOf(text: string): number {
  return decimal.exec(roundedNumber(text))?.[3]?.slice(1).length ?? 0;
}

/** Whether a wire type is a number, and its column right-aligned. */
export function isNumeric(type: string): boolean {
  return type.split('|').every((part) => part === 'integer' || part === 'float');
}

/** Whether a double may represent several integers, so that only exact text tells them apart. */
export function isBeyondExact(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** A share in percent with one decimal, which says whether there is something where it rounds to nothing or all. */
export function shareText(share: number): string {
  const size = Math.abs(share);
  if (size > 0 && size < 0.0005) return `${share < 0 ? '>-' : '<'}0.1%`;
  if (size > 0.9995 && size < 1) return `${share < 0 ? '<-' : '>'}99.9%`;
  return `${percent().format(share * 100)}%`;
}

let percentFormat: Intl.NumberFormat | undefined;

/** Creates the format when it is first used, because loading `Intl` delays activation. */
function percent(): Intl.NumberFormat {
  percentFormat ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return percentFormat;
}
