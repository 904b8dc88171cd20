// Changes the values that a schema declares. Skips undeclared values, which may be large or deep.
import type { SchemaNode } from './problem.ts';

/**
 * Returns the replacement for a declared value, or undefined to remove a member. Must not change nested values, which
 * are passed separately. `optional` is meaningful for members only.
 */
export type Change = (schema: SchemaNode, value: unknown, optional: boolean) => unknown;

/** Applies `change` to the declared values. Returns the same object if nothing changed. */
export function rewrite(schema: SchemaNode, value: unknown, change: Change): unknown {
  const whole = change(schema, value, false);
  return rewriteParts(schema, whole, change);
}

function rewriteParts(schema: SchemaNode, value: unknown, change: Change): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    const changed = value.map((item) => rewrite(items, item, change));
    return changed.every((item, i) => item === value[i]) ? value : changed;
  }
  return rewriteMembers(schema, value as Readonly<Record<string, unknown>>, change);
}

function rewriteMembers(
  schema: SchemaNode,
  object: Readonly<Record<string, unknown>>,
  change: Change,
): object {
  const { properties = {}, additionalProperties: others, required = [] } = schema;
  const changes = new Map<string, unknown>();
  for (const name of Object.keys(others === undefined ? properties : object)) {
    if (!Object.hasOwn(object, name)) continue;
    const member = Object.hasOwn(properties, name) ? properties[name] : others;
    if (member === undefined) continue;
    const changed = change(member, object[name], !required.includes(name));
    const next = rewriteParts(member, changed, change);
    if (next !== object[name]) changes.set(name, next);
  }
  if (changes.size === 0) return object;
  const entries = Object.entries(object).map(([name, value]) =>
    changes.has(name) ? ([name, changes.get(name)] as const) : ([name, value] as const),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
