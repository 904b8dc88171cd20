// The service is written in Go, which reads `NotifierIDs` as `notifierIds`, and some of its clients write names so.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/**
 * A value with its members under the names that the schema declares, where they differ in case alone; the very
 * value where none does. A member that is there under its declared name counts, and the others stay as they are.
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

/** The declared names by how they are written in lower case. */
function byLowerCase(properties: object): ReadonlyMap<string, string> {
  let names = known.get(properties);
  if (names === undefined) {
    names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
    known.set(properties, names);
  }
  return names;
}
