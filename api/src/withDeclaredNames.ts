// Corrects the case of member names, such as `NotifierIDs`. Go ignores the case of JSON names, and some clients rely on
// it.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/**
 * Renames members whose case differs from a declared name. Keeps a member if the object also has the declared name.
 * Returns the same object if nothing is renamed.
 */
export function withDeclaredNames<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, renamed) as T;
}

function renamed({ properties }: SchemaNode, value: unknown): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value;
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (strangers.length === 0) return value;
  const declared = byLowerCase(properties);
  const names = new Map<string, string>();
  for (const stranger of strangers) {
    const name = declared.get(stranger.toLowerCase());
    if (name !== undefined && !Object.hasOwn(value, name)) names.set(stranger, name);
  }
  if (names.size === 0) return value;
  const entries = Object.entries(value).map(([name, member]) => [names.get(name) ?? name, member]);
  return Object.fromEntries(entries);
}

const known = new WeakMap<object, ReadonlyMap<string, string>>();

/** Returns the declared names by their lower-case form. */
function byLowerCase(properties: object): ReadonlyMap<string, string> {
  let names = known.get(properties);
  if (names === undefined) {
    names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
    known.set(properties, names);
  }
  return names;
}
