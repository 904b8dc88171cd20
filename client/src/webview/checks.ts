/**
 * Checks values from pages and files. A check is a type guard, so it also defines the value's type. Messages from pages
 * have limited sizes and no unknown members.
 */

export type Check<T> = (value: unknown) => value is T;
export type Checked<C> = C extends (value: unknown) => value is infer T ? T : never;

type Shape = Readonly<Record<string, Check<unknown>>>;
type Members<S extends Shape> = { readonly [Key in keyof S]: Checked<S[Key]> };

/** Accepts only null, which is the content of a message without content. */
export const nothing: Check<null> = (value): value is null => value === null;

export const boolean: Check<boolean> = (value): value is boolean => typeof value === 'boolean';

/** Accepts text of at most `maxLength` UTF-16 units. */
export function text(maxLength: number): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= maxLength;
}

export const anyText = text(Number.POSITIVE_INFINITY);

/** Accepts integers from `min` to `max`, inclusive. */
export function integer(min: number, max: number): Check<number> {
  return (value): value is number => Number.isInteger(value) && within(value as number, min, max);
}

/** Accepts numbers from `min` to `max`, inclusive. */
export function number(min: number, max: number): Check<number> {
  return (value): value is number => typeof value === 'number' && within(value, min, max);
}

export const anyNumber = number(-Number.MAX_VALUE, Number.MAX_VALUE);

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

export function literal<const T extends string | number | boolean | null>(expected: T): Check<T> {
  return (value): value is T => value === expected;
}

export function oneOf<const T extends readonly string[]>(...expected: T): Check<T[number]> {
  return (value): value is T[number] => typeof value === 'string' && expected.includes(value);
}

export function either<const C extends readonly Check<unknown>[]>(
  ...checks: C
): Check<Checked<C[number]>> {
  return (value): value is Checked<C[number]> => checks.some((check) => check(value));
}

export function list<T>(item: Check<T>, maxLength: number): Check<readonly T[]> {
  return (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= maxLength && value.every(item);
}

/** Accepts objects with arbitrary keys and at most `maxMembers` members. */
export function record<T>(
  member: Check<T>,
  maxMembers: number,
): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isObject(value)) return false;
    const members = Object.values(value);
    return members.length <= maxMembers && members.every(member);
  };
}

type Checks<R extends Shape, O extends Shape> = Check<Members<R> & Partial<Members<O>>>;

/** Accepts objects with these members and no others. */
export function object<R extends Shape, O extends Shape = Record<never, never>>(
  required: R,
  optional?: O,
): Checks<R, O> {
  const hasMembers = members(required, optional);
  const known = new Set([...Object.keys(required), ...Object.keys(optional ?? {})]);
  return (value): value is Checked<Checks<R, O>> =>
    hasMembers(value) && Object.keys(value).every((name) => known.has(name));
}

/** Accepts objects with these members and any others, for files that another version may have written. */
export function members<R extends Shape, O extends Shape = Record<never, never>>(
  required: R,
  optional?: O,
): Checks<R, O> {
  const [needed, others] = [Object.entries(required), Object.entries(optional ?? {})];
  return (value): value is Checked<Checks<R, O>> =>
    isObject(value) &&
    needed.every(([name, check]) => Object.hasOwn(value, name) && check(value[name])) &&
    others.every(([name, check]) => !Object.hasOwn(value, name) || check(value[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
