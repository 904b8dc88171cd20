// Null for an optional member means that it is absent: forms and clients written in Go send null for members without a
// value.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/**
 * Removes null members that the schema declares as optional and not nullable; returns the same object if there are
 * none. Undeclared members are data and stay unchanged.
 */
export function withoutNulls<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, (member, found, optional) =>
    found === null && optional && !acceptsNull(member) ? undefined : found,
  ) as T;
}

/** Returns whether a schema accepts null, by its type or because it accepts any value. */
function acceptsNull({ type, enum: words }: SchemaNode): boolean {
  if (type === undefined) return words === undefined;
  return typeof type === 'string' ? type === 'null' : type.includes('null');
}
