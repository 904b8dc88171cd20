/** Translated values: ClickHouse SQL with its type. */
import { quoteText as quotedText } from '../quotes.ts';
import { isOptional, type ScalarKind, scalarType, type Type, withOptional } from './types.ts';

export { quoteName as quotedName, quoteText as quotedText } from '../quotes.ts';

export interface Value {
  readonly sql: string;
  readonly type: Type;
  /** Whether the value is never null. */
  readonly present?: boolean;
  /** Whether the value may be null because of an error. Set only inside TRY. */
  readonly fails?: boolean;
  /** The maximum number of bits of an integer's magnitude, if it is known to be at most `MAX_BITS`. */
  readonly bits?: number;
  /** Whether the string has only digits, or none. */
  readonly digits?: boolean;
  /** The value of a literal. */
  readonly constant?: string | bigint;
}

/** Integers of this size are negated and added without overflow. */
export const MAX_BITS = 62;
/** The size of lengths, positions and parts of times. */
export const LENGTH_BITS = 40;

/** Returns the size of a value that is one of several. */
export function bitsOfAny(values: readonly Value[]): Pick<Value, 'bits'> {
  const sizes = values.map(({ bits }) => bits ?? Number.POSITIVE_INFINITY);
  return withBits(Math.max(...sizes));
}

export function withBits(bits: number): Pick<Value, 'bits'> {
  return bits <= MAX_BITS ? { bits } : {};
}

export function scalar(sql: string, kind: ScalarKind, traits: Partial<Value> = {}): Value {
  return { ...traits, sql, type: scalarType(kind) };
}

/** Returns the traits of a result that is null only if one of the values is. */
export function traitsOf(...values: readonly Value[]): Pick<Value, 'present' | 'fails'> {
  return {
    present: values.every(({ present }) => present === true),
    ...(values.some(({ fails }) => fails) && { fails: true }),
  };
}

export function textValue(text: string): Value {
  return scalar(quotedText(text), 'string', { present: true, constant: text });
}

/** Returns the SQL of a condition that is true if the value is null, or undefined if the value is never null. */
export function nullTest({ sql, type, present }: Value): string | undefined {
  if (type.kind === 'list' || type.kind === 'struct')
    return isOptional(type) ? field(sql, 2) : undefined;
  return present ? undefined : `isNull(${sql})`;
}

export function field(sql: string, position: number): string {
  return /^\w+$/.test(sql) ? `${sql}.${position}` : `tupleElement(${sql}, ${position})`;
}

/** Returns a list or struct without its null flag. A null one becomes an arbitrary value. */
export function required(of: Value): Value {
  if (!isOptional(of.type)) return of;
  return { ...of, sql: field(of.sql, 1), type: withOptional(of.type, false) };
}

/** Adds a null flag to a list or struct. `tests` are conditions under which it is null. */
export function nullIfAny(of: Value, tests: readonly (string | undefined)[]): Value {
  const found = [...new Set(tests.filter((test) => test !== undefined))];
  if (found.length === 0) return of;
  const test = found.length === 1 ? (found[0] as string) : `(${found.join(' OR ')})`;
  if (of.type.kind !== 'list' && of.type.kind !== 'struct')
    return { ...of, sql: `if(${test}, NULL, ${of.sql})`, present: false };
  if (isOptional(of.type))
    return { ...of, sql: `if(${test}, tuple(tupleElement(${of.sql}, 1), 1), ${of.sql})` };
  return { ...of, sql: `tuple(${of.sql}, ${test})`, type: withOptional(of.type, true) };
}
