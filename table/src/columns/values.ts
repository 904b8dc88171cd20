/** Kinds of values, forms of written numbers, and number parsing. */

/** JSON types of values, with the numbers that represent them in memory. */
export const kinds = { number: 0, text: 1, boolean: 2, json: 3 } as const;
export type Kind = (typeof kinds)[keyof typeof kinds];
export const kindNames = ['number', 'text', 'boolean', 'json'] as const;

export const forms = {
  /** An integer within 2^53, except for -0. Its text is JavaScript's formatting of the double. */
  integer: 0,
  /** A non-integer number whose text is JavaScript's formatting of the double. */
  fraction: 1,
  /** A whole number below 10^21 that ends in `.0` and is otherwise written as JavaScript writes it; also `-0.0`. */
  wholeWithPoint: 2,
  /** Any other number, such as an integer beyond 2^53 or an unusual notation. The double may be inexact. */
  literal: 3,
} as const;
export type Form = (typeof forms)[keyof typeof forms];

/** Parses a number: to a bigint for integers beyond 2^53, otherwise to the nearest double. */
export function numberCell(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
  return BigInt(text);
}
