// What the tolerant reader vouches for, as a type computed from the schema itself: members marked
// `key` are there, every other may be missing or null, and closed sets of words are open.
import type { Static, TArray, TEnum, TObject, TProperties, TRecord, TSchema } from 'typebox';

type Marked = { readonly 'x-read': 'key' };

type TolerantObject<P extends TProperties> = {
  [Name in keyof P as P[Name] extends Marked ? Name : never]: Tolerant<P[Name]>;
} & {
  [Name in keyof P as P[Name] extends Marked ? never : Name]?: Tolerant<P[Name]> | null;
};

/** The type of a value of schema `S` that was read tolerantly. */
export type Tolerant<S extends TSchema> =
  S extends TArray<infer Item extends TSchema>
    ? Tolerant<Item>[]
    : S extends TEnum<infer Values extends string[]>
      ? Values[number] | (string & {})
      : S extends TObject<infer P extends TProperties>
        ? TolerantObject<P>
        : S extends TRecord<string, infer Value extends TSchema>
          ? Record<string, Tolerant<Value>>
          : Static<S>;
