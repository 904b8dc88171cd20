/** Writes values as exact APL literals. */
import { isInt64 } from '../exactNumbers.ts';
import { isTimespan, readInstant, timespanInOneUnit } from '../timeCells.ts';

/** Returns a column's name as written in a query. Plain words are not quoted, even if they are keywords. */
export function aplName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `[${aplString(name)}]`;
}

/** Characters to escape: quotes, backslashes, control characters, line separators, lone surrogates. */
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

/** The minimum long. Without its sign, it exceeds the maximum long, so it is written as `long(…)`. */
const leastLong = '-9223372036854775808';

/**
 * Returns a number as the service wrote it, if APL can read that. A whole number is written as a real, such as `1.0`,
 * if `isReal` or if it doesn't fit into a long. NaN, the infinities and the minimum long have special literals.
 */
export function aplNumber(value: number | bigint, text: string, isReal: boolean): string {
  if (typeof value === 'number' && !/\d/.test(text)) {
    if (Number.isNaN(value)) return 'real(nan)';
    return value > 0 ? 'real(+inf)' : 'real(-inf)';
  }
  if (!/^-?\d+$/.test(text)) return text;
  if (isReal || !isInt64(BigInt(text))) return `${text}.0`;
  return text === leastLong ? `long(${text})` : text;
}

export function aplDynamic(text: string): string {
  return `dynamic(${text})`;
}

/** Returns a datetime literal, or a string if no literal can represent the time. */
export function aplDatetime(text: string): string {
  return readInstant(text) === undefined ? aplString(text) : `datetime(${text})`;
}

/**
 * Returns a timespan literal in a single unit, because a literal can have only one; a string if the text isn't a
 * duration.
 */
export function aplTimespan(text: string): string {
  return isTimespan(text) ? `timespan(${timespanInOneUnit(text)})` : aplString(text);
}

/** The maximum bracket nesting in a query, minus the brackets around the literal. */
const maxNesting = 200;

/** Whether the value's JSON is an equivalent literal: no number exceeds 64 bits, and nesting isn't too deep. */
export function isDynamicLiteral(value: unknown, nesting = 0): boolean {
  if (typeof value === 'bigint') return isInt64(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (nesting >= maxNesting) return false;
  return Object.values(value).every((member) => isDynamicLiteral(member, nesting + 1));
}
