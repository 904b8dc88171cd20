/** Checks whether binary number formats can represent a number exactly. */

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

export function significantDigits(text: string): number {
  const digits = text.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  return digits.replace(/^0+|0+$/g, '').length;
}
