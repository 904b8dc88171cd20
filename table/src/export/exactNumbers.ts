/** Whether formats with binary numbers keep a number exactly. */

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Counts the significant digits in the text of a number. */
export function significantDigits(text: string): number {
  const digits = text.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  return digits.replace(/^0+|0+$/g, '').length;
}
