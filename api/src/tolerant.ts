// The tolerant reader, for the service's responses and for stored documents. The service adds members and strings that
// this project does not know, and its responses are not always valid, so only unusable values are rejected. The schemas
// are the same as for the strict reader.
import type { Static, TArray, TEnum, TObject, TProperties } from 'typebox';
import {
  describeSchemaType,
  describeType,
  memberPath,
  nameOf,
  type Problem,
  type SchemaNode,
} from './problem.ts';
import type { TDictionary, TSchema } from './schema.ts';

type KeyMember = { readonly 'x-read': 'key' };

type TolerantObject<P extends TProperties> = {
  [Name in keyof P as P[Name] extends KeyMember ? Name : never]: Tolerant<P[Name]>;
} & {
  [Name in keyof P as P[Name] extends KeyMember ? never : Name]?: Tolerant<P[Name]> | null;
};

/**
 * The type that the tolerant reader guarantees. Members marked `key` are present, and all others may be missing or
 * null. Fixed sets of strings, bounds and formats aren't enforced.
 */
export type Tolerant<S extends TSchema> =
  S extends TArray<infer Item extends TSchema>
    ? Tolerant<Item>[]
    : S extends TEnum<infer Values extends string[]>
      ? Values[number] | (string & {})
      : S extends TObject<infer P extends TProperties>
        ? TolerantObject<P>
        : S extends TDictionary<infer Value extends TSchema>
          ? Record<string, Tolerant<Value>>
          : Static<S>;

export type ReadResult<S extends TSchema> =
  | {
      readonly ok: true;
      /** The value as received, which clients show and send back when the user saves the record. */
      readonly value: unknown;
      /**
       * The value with the declared types, without unusable members and items. It is the same object if nothing was
       * omitted. Bigints are converted if the declared type is a number.
       */
      readonly typed: Tolerant<S>;
      /** Problems with the omitted parts, at most `NOTES_MAX`. */
      readonly notes: readonly Problem[];
    }
  | { readonly ok: false; readonly problem: Problem };

const NOTES_MAX = 100;

class Unusable {
  readonly problem: Problem;
  constructor(path: string, message: string) {
    this.problem = { path, message };
  }
}

/**
 * Reads a value that a service sent. Never throws, and never changes the value.
 * - Rejects the value only if its JSON type is wrong, a member marked `key` is missing or unusable, or a member marked
 *   `whole` is unusable.
 * - Omits other unusable members and items from `typed`.
 * - Keeps nulls, unknown members, unknown strings and numbers out of bounds. Reads null as an empty list if the schema
 *   is a list.
 *
 * `rootName` names the value itself in messages. If `exact`, bigints stay bigint.
 */
export function readTolerant<S extends TSchema>(
  schema: S,
  value: unknown,
  rootName = 'the value',
  exact = false,
): ReadResult<S> {
  const reader = new Reader(rootName, exact);
  // Services written in Go send null for an empty list.
  const list = value === null && (schema as SchemaNode).type === 'array' ? [] : value;
  const typed = reader.read(schema as SchemaNode, list, '');
  return typed instanceof Unusable
    ? { ok: false, problem: typed.problem }
    : { ok: true, value, typed: typed as Tolerant<S>, notes: reader.notes };
}

class Reader {
  readonly notes: Problem[] = [];
  readonly #rootName: string;
  readonly #exact: boolean;

  constructor(rootName: string, exact: boolean) {
    this.#rootName = rootName;
    this.#exact = exact;
  }

  read(schema: SchemaNode, value: unknown, path: string): unknown {
    if (schema.type === undefined) return value;
    if (!fits(schema.type, value)) {
      const name = nameOf(path, this.#rootName);
      return new Unusable(
        path,
        `${name} must be ${describeSchemaType(schema)}, got ${describeType(value)}`,
      );
    }
    if (typeof value === 'bigint') return this.#exact ? value : Number(value);
    if (Array.isArray(value)) {
      return schema.items === undefined ? value : this.#list(schema, schema.items, value, path);
    }
    if (typeof value === 'object' && value !== null) {
      return this.#object(schema, value as Readonly<Record<string, unknown>>, path);
    }
    return value;
  }

  #list(schema: SchemaNode, items: SchemaNode, value: readonly unknown[], path: string): unknown {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const typed = this.read(items, item, memberPath(path, index));
      if (typed instanceof Unusable) {
        if (schema['x-read'] !== undefined) return typed;
        this.#note(typed);
        copy ??= value.slice(0, index);
      } else if (copy !== undefined) {
        copy.push(typed);
      } else if (typed !== item) {
        copy = [...value.slice(0, index), typed];
      }
    }
    return copy ?? value;
  }

  #object(schema: SchemaNode, value: Readonly<Record<string, unknown>>, path: string): unknown {
    let copy: Record<string, unknown> | undefined;
    const others = schema.additionalProperties;
    const names = Object.keys(others === undefined ? (schema.properties ?? {}) : value);
    for (const name of names) {
      const member = others ?? schema.properties![name]!;
      const found = Object.hasOwn(value, name) ? value[name] : undefined;
      const at = memberPath(path, name);
      if (found === undefined || found === null) {
        if (member['x-read'] !== 'key') continue;
        return new Unusable(at, `${nameOf(at, this.#rootName)} is missing`);
      }
      const typed = this.read(member, found, at);
      if (typed === found) continue;
      if (typed instanceof Unusable && member['x-read'] !== undefined) return typed;
      copy ??= { ...value };
      if (typed instanceof Unusable) {
        this.#note(typed);
        delete copy[name];
      } else {
        // A plain assignment would set the prototype for a member called `__proto__`.
        Object.defineProperty(copy, name, {
          value: typed,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
    return copy ?? value;
  }

  #note(unusable: Unusable): void {
    if (this.notes.length < NOTES_MAX) this.notes.push(unusable.problem);
  }
}

function fits(type: string | readonly string[], value: unknown): boolean {
  return typeof type === 'string' ? fitsOne(type, value) : type.some((one) => fitsOne(one, value));
}

function fitsOne(type: string, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'null':
      return value === null;
    default:
      // For strings and booleans, `typeof` returns the same name as JSON Schema.
      return typeof value === type;
  }
}
