// Recognizes numbers, booleans and nulls in CSV values by the type of their column. Digits are copied as written, so
// none is lost.
import type { ColumnType } from '../../settings.ts';

const INT64_MAX = '9223372036854775807';
const INT64_MIN = '9223372036854775808';

/** Strings that mean a missing value in columns that aren't strings. */
export const NULL_STRINGS = ['', 'null', 'NULL', '\\N', 'NA', 'N/A', 'NaN', 'nan'] as const;

const nullLengths = NULL_STRINGS.map((text) => text.length);
const NULL_LENGTH_MAX = Math.max(...nullLengths);

export function isNullText(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length === 0) return true;
  if (length > NULL_LENGTH_MAX) return false;
  const first = bytes[start] as number;
  // `n`, `N` and the backslash.
  if (first !== 0x6e && first !== 0x4e && first !== 0x5c) return false;
  return (NULL_STRINGS as readonly string[]).includes(bytes.toString('latin1', start, end));
}

/** Returns whether bytes are a 64-bit integer in JSON syntax: no leading zero, no plus sign. */
export function isInteger(bytes: Buffer, start: number, end: number): boolean {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  const digits = end - first;
  if (digits < 1 || digits > 19) return false;
  if (bytes[first] === 0x30 && (digits > 1 || negative)) return false;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return digits < 19 || bytes.toString('latin1', first, end) <= (negative ? INT64_MIN : INT64_MAX);
}

/** The form of a number, for writing it as JSON. A point without digits on one side gets a zero there. */
export type NumberForm = 'json' | 'bareStart' | 'bareEnd' | undefined;

/** Returns the form of a decimal number `-?digits[.digits][e±digits]` without leading zeros; undefined otherwise. */
export function numberForm(bytes: Buffer, start: number, end: number): NumberForm {
  let at = start;
  if (bytes[at] === 0x2d) at += 1;
  const whole = at;
  while (at < end && isDigit(bytes[at] as number)) at += 1;
  const wholeDigits = at - whole;
  if (wholeDigits > 1 && bytes[whole] === 0x30) return undefined;
  let fractionDigits = 0;
  let point = false;
  if (at < end && bytes[at] === 0x2e) {
    point = true;
    at += 1;
    const fraction = at;
    while (at < end && isDigit(bytes[at] as number)) at += 1;
    fractionDigits = at - fraction;
  }
  if (wholeDigits + fractionDigits === 0) return undefined;
  if (at < end) {
    // Accepts an exponent only if a point, if any, has digits on both sides.
    if (((bytes[at] as number) | 0x20) !== 0x65 || wholeDigits === 0) return undefined;
    if (point && fractionDigits === 0) return undefined;
    at += 1;
    if (at < end && (bytes[at] === 0x2d || bytes[at] === 0x2b)) at += 1;
    const exponent = at;
    while (at < end && isDigit(bytes[at] as number)) at += 1;
    if (at === exponent || at < end) return undefined;
  }
  if (wholeDigits === 0) return 'bareStart';
  return point && fractionDigits === 0 ? 'bareEnd' : 'json';
}

/** Parses `true` or `false`, ignoring case. */
export function booleanOf(bytes: Buffer, start: number, end: number): boolean | undefined {
  const word = end - start === 4 ? TRUE : end - start === 5 ? FALSE : undefined;
  if (word === undefined) return undefined;
  for (let index = 0; index < word.length; index += 1) {
    // ASCII letters differ from their capitals by this bit.
    if (((bytes[start + index] as number) | 0x20) !== word[index]) return undefined;
  }
  return word === TRUE;
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Returns whether text matches a column's type. */
export function fits(type: ColumnType, text: string): boolean {
  const bytes = Buffer.from(text);
  switch (type) {
    case 'string':
      return true;
    case 'integer':
      return isInteger(bytes, 0, bytes.length);
    case 'number':
      return numberForm(bytes, 0, bytes.length) !== undefined;
    case 'boolean':
      return booleanOf(bytes, 0, bytes.length) !== undefined;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
