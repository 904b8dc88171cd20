// The words in which resources are declared. Each builds a typebox schema, which is JSON Schema, a
// TypeScript type and a validator at once; named imports keep the parts of typebox that are not
// used out of the bundles.
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

/**
 * How the tolerant reader treats a member, kept in the schema itself as `x-read`:
 * `key`, it must be there with its JSON type, or its owner is unusable;
 * `whole`, it may be missing or null, but what is there must be usable in every item, because the
 * place of an item matters. Members without a mark never make their owner unusable.
 */
export type ReadMark = 'key' | 'whole';

/** A member without which its owner cannot be used: an identifier, or the frame of a result. */
export type Key<S extends TSchema> = S & { readonly 'x-read': 'key' };

/** A member whose items are addressed by their position. */
export type Whole<S extends TSchema> = S & { readonly 'x-read': 'whole' };

export function key<S extends TSchema>(schema: S): Key<S> {
  return Object.assign(schema, { 'x-read': 'key' as const });
}

export function whole<S extends TSchema>(schema: S): Whole<S> {
  return Object.assign(schema, { 'x-read': 'whole' as const });
}

/** What text may be told beyond JSON Schema: what its `pattern` asks for, in words. */
export interface TextOptions extends TStringOptions {
  readonly 'x-words'?: string;
}

/** Text; `description` is a sentence for whoever edits the resource. */
export function text(description?: string, options: TextOptions = {}): TString {
  return StringOf(described(description, options));
}

/** A whole number. */
export function integer(description?: string, options: TNumberOptions = {}): TInteger {
  return IntegerOf(described(description, options));
}

/** A whole number of 64 bits. Beyond 2^53 a reader without loss gives it as bigint. */
export function int64(description?: string, options: TNumberOptions = {}): TInteger {
  return integer(description, { minimum: INT64_MIN, maximum: INT64_MAX, ...options });
}

/** A number. */
export function number(description?: string, options: TNumberOptions = {}): TNumber {
  return NumberOf(described(description, options));
}

/** True or false. */
export function flag(description?: string): TBoolean {
  return BooleanOf(described(description, {}));
}

/** One of a fixed set of words. The tolerant reader lets others through. */
export function oneOf<const Values extends string[]>(
  values: readonly [...Values],
  description?: string,
): TEnum<Values> {
  return EnumOf<Values>(values, described(description, { type: 'string' }));
}

/** A point in time: text in the form of RFC 3339, fractions to any length. */
export function timestamp(description?: string): TString {
  return StringOf(described(description, { format: 'date-time' }));
}

/** A point in time, or null where none is set. */
export function timestampOrNull(description?: string): TUnsafe<string | null> {
  return Unsafe(described(description, { type: ['string', 'null'], format: 'date-time' }));
}

/** A bound of a query's range: RFC 3339, `now`, or `now-` with a number and s, m, h, d or w. */
export function queryTime(description?: string): TString {
  return StringOf(described(description, { format: 'query-time' }));
}

/** A length of time as programs in Go write it: `1h30m`, `45s`, `1.5h`. */
export function goDuration(description?: string): TString {
  return StringOf(described(description, { format: 'go-duration' }));
}

/** A list of things of one kind. */
export function list<S extends TSchema>(items: S, options: TArrayOptions = {}): TArray<S> {
  return ArrayOf(items, options);
}

/** A list whose items nobody looks at: result columns have millions, so they carry no item schema. */
export function cells(description?: string): TUnsafe<unknown[]> {
  return Unsafe(described(description, { type: 'array' }));
}

/** An object whose member names are data, with values of one kind. */
export type TDictionary<S extends TSchema> = TUnsafe<Record<string, Static<S>>> & {
  readonly additionalProperties: S;
};

export function dictionary<S extends TSchema>(values: S, description?: string): TDictionary<S> {
  return Unsafe(
    described(description, { type: 'object', additionalProperties: values }),
  ) as TDictionary<S>;
}

/** An object with any members. */
export function anyObject(description?: string): TUnsafe<Record<string, unknown>> {
  return Unsafe(described(description, { type: 'object' }));
}

/** Any JSON value. */
export function anything(description?: string): TUnknown {
  return Unknown(described(description, {}));
}

/** Text, a number or a truth value: for members whose type public sources disagree on. */
export function scalar(description?: string): TUnsafe<string | number | boolean> {
  return Unsafe(described(description, { type: ['string', 'number', 'boolean'] }));
}

/** An object. Members that are not declared are accepted, as the service does. */
export function object<P extends TProperties>(
  properties: P,
  options: TObjectOptions = {},
): TObject<P> {
  return ObjectOf(properties, options);
}

function described<O extends object>(description: string | undefined, options: O) {
  return description === undefined ? options : { description, ...options };
}
