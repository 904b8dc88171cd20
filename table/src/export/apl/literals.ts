/** Writes values as APL literals, so that a query with them has exactly these values. */
import { isInt64 } from '../exactNumbers.ts';
import { isTimespan, readInstant, timespanInOneUnit } from '../timeCells.ts';

/** The name of a column in a query. A word is left bare, although it might be one of the language. */
export function aplName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `[${aplString(name)}]`;
}

/** Characters to escape: the quote, the backslash, controls, line ends, half surrogate pairs. */
const special = /['\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function aplString(text: string): string {
  const escaped = text.replace(
    special,
    (character) =>
      escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `'${escaped}'`;
}

/** The digits of the least long without their sign are more than a long holds. */
const leastLong = '-9223372036854775808';

/** A number as the service wrote it; `isReal` makes a real of a whole one, as in `1.0`. */
export function aplNumber(value: number | bigint, text: string, isReal: boolean): string {
  if (typeof value === 'number' && !/\d/.test(text)) {
    if (Number.isNaN(value)) return 'real(nan)';
    return value > 0 ? 'real(+inf)' : 'real(-inf)';
  }
  if (!/^-?\d+$/.test(text)) return text;
  if (isReal || !isInt64(BigInt(text))) return `${text}.0`;
  return text === leastLong ? `long(${text})` : text;
}

/** `text` is JSON. */
export function aplDynamic(text: string): string {
  return `dynamic(${text})`;
}

/** A time as a literal, or as a string where a literal cannot hold it. */
export function aplDatetime(text: string): string {
  return readInstant(text) === undefined ? aplString(text) : `datetime(${text})`;
}

/** In one unit, because a literal has only one. */
export function aplTimespan(text: string): string {
  return isTimespan(text) ? `timespan(${timespanInOneUnit(text)})` : aplString(text);
}

/** Brackets within brackets that a query may have, less those around the literal. */
const maxNesting = 200;

/** Whether JSON of the value is a literal that means the same: no number of more than 64 bits, not too deep. */
export function isDynamicLiteral(value: unknown, nesting = 0): boolean {
  if (typeof value === 'bigint') return isInt64(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (nesting >= maxNesting) return false;
  return Object.values(value).every((member) => isDynamicLiteral(member, nesting + 1));
}
