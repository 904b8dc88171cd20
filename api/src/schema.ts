// Functions that declare resources. Each returns a typebox schema, which serves as JSON Schema, as a TypeScript type
// and for validation. Named imports keep unused parts of typebox out of the bundles.
import {
  Array as ArrayOf,
  Boolean as BooleanOf,
  Enum as EnumOf,
  Integer as IntegerOf,
  Number as NumberOf,
  Object as ObjectOf,
  Optional,
  type Static,
  String as StringOf,
  type TArray,
  type TArrayOptions,
  type TBoolean,
  type TEnum,
  type TInteger,
  type TNumber,
  type TNumberOptions,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
  type TUnknown,
  type TUnsafe,
  Unknown,
  Unsafe,
} from 'typebox';
import { INT64_MAX, INT64_MIN } from './limits.ts';

export type { Static, TObject, TProperties, TSchema } from 'typebox';
export { Optional as optional };

// `x-read` tells the tolerant reader how to treat a member. By default, it omits an unusable member.

/** A required member. If it is unusable, the object that contains it is unusable too. */
export type Key<S extends TSchema> = S & { readonly 'x-read': 'key' };

/** A list whose items must all be usable, because their positions matter. It may be missing or null. */
export type Whole<S extends TSchema> = S & { readonly 'x-read': 'whole' };

export function key<S extends TSchema>(schema: S): Key<S> {
  return Object.assign(schema, { 'x-read': 'key' as const });
}

export function whole<S extends TSchema>(schema: S): Whole<S> {
  return Object.assign(schema, { 'x-read': 'whole' as const });
}

/** `x-words` describes `pattern` in words. */
export interface TextOptions extends TStringOptions {
  readonly 'x-words'?: string;
}

/** Declares a string. `description` is shown to users when they edit the resource. */
export function text(description?: string, options: TextOptions = {}): TString {
  return StringOf(described(description, options));
}

export function integer(description?: string, options: TNumberOptions = {}): TInteger {
  return IntegerOf(described(description, options));
}

/** Declares a 64-bit integer. The lossless JSON parser returns integers beyond 2^53 as bigint. */
export function int64(description?: string, options: TNumberOptions = {}): TInteger {
  return integer(description, { minimum: INT64_MIN, maximum: INT64_MAX, ...options });
}

export function number(description?: string, options: TNumberOptions = {}): TNumber {
  return NumberOf(described(description, options));
}

export function flag(description?: string): TBoolean {
  return BooleanOf(described(description, {}));
}

/** Declares a string with fixed values. The tolerant reader also accepts other strings. */
export function oneOf<const Values extends string[]>(
  values: readonly [...Values],
  description?: string,
): TEnum<Values> {
  return EnumOf<Values>(values, described(description, { type: 'string' }));
}

/** Declares an RFC 3339 time with any number of fractional digits. */
export function timestamp(description?: string): TString {
  return StringOf(described(description, { format: 'date-time' }));
}

export function timestampOrNull(description?: string): TUnsafe<string | null> {
  return Unsafe(described(description, { type: ['string', 'null'], format: 'date-time' }));
}

/** Declares a time: RFC 3339, `now`, or `now-` with a number and s, m, h, d or w. */
export function queryTime(description?: string): TString {
  return StringOf(described(description, { format: 'query-time' }));
}

/** Declares a duration in Go's format: `1h30m`, `45s`, `1.5h`. */
export function goDuration(description?: string): TString {
  return StringOf(described(description, { format: 'go-duration' }));
}

export function list<S extends TSchema>(items: S, options: TArrayOptions = {}): TArray<S> {
  return ArrayOf(items, options);
}

/** Declares a list whose items aren't validated, because a result column may have millions of values. */
export function cells(description?: string): TUnsafe<unknown[]> {
  return Unsafe(described(description, { type: 'array' }));
}

/** An object with any member names, whose values have one type. */
export type TDictionary<S extends TSchema> = TUnsafe<Record<string, Static<S>>> & {
  readonly additionalProperties: S;
};

export function dictionary<S extends TSchema>(values: S, description?: string): TDictionary<S> {
  return Unsafe(
    described(description, { type: 'object', additionalProperties: values }),
  ) as TDictionary<S>;
}

export function anyObject(description?: string): TUnsafe<Record<string, unknown>> {
  return Unsafe(described(description, { type: 'object' }));
}

export function anything(description?: string): TUnknown {
  return Unknown(described(description, {}));
}

/** Declares a string, number or boolean, for members whose type differs among public sources. */
export function scalar(description?: string): TUnsafe<string | number | boolean> {
  return Unsafe(described(description, { type: ['string', 'number', 'boolean'] }));
}

/** Declares an object. Accepts undeclared members, like the service. */
export function object<P extends TProperties>(
  properties: P,
  options: TObjectOptions = {},
): TObject<P> {
  return ObjectOf(properties, options);
}

function described<O extends object>(description: string | undefined, options: O) {
  return description === undefined ? options : { description, ...options };
}
