// The tolerant reader: for what the client receives. The service grows words and members that this
// project has not heard of, and its documents are not always right, so only what makes a value
// useless is refused. It works from the same declarations as the strict reader.
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
 * What the tolerant reader vouches for: members marked `key` are there, every other may be missing
 * or null, and closed sets of words are open. Numbers may be out of bounds, text of any form.
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

/** What came of reading a value. */
export type ReadResult<S extends TSchema> =
  | {
      readonly ok: true;
      /** The very value that was read: what is shown as text and what goes back on save. */
      readonly value: unknown;
      /**
       * The value as code may use it: the same object where every known member has its JSON type,
       * otherwise a copy without those that have not. Big integers of a number's place are numbers.
       */
      readonly typed: Tolerant<S>;
      /** What `typed` leaves out, at most `NOTES_MAX` of it. */
      readonly notes: readonly Problem[];
    }
  | { readonly ok: false; readonly problem: Problem };

/** Notes kept of one value. */
const NOTES_MAX = 100;

class Unusable {
  readonly problem: Problem;
  constructor(path: string, message: string) {
    this.problem = { path, message };
  }
}

/**
 * Reads a value that a service sent. Unknown members, unknown words, numbers out of bounds and nulls
 * are kept. It is refused only if it has the wrong JSON type altogether, or if a member marked `key`
 * is missing or wrong; unusable items of a list are left out of `typed`, unless their place matters.
 * Null where a list is expected is an empty list.
 * `rootName` names the value itself in messages. With `exact`, big integers of a number's place stay bigint.
 * Never throws, and never changes the value.
 */
export function readTolerant<S extends TSchema>(
  schema: S,
  value: unknown,
  rootName = 'the value',
  exact = false,
): ReadResult<S> {
  const reader = new Reader(rootName, exact);
  // A service written in Go sends null for a list that was never filled.
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
        // A plain assignment to `__proto__` would set the prototype instead of the member.
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
      // JSON Schema's words string and boolean are JavaScript's too.
      return typeof value === type;
  }
}
