// Treats a null in an optional member as an absent member. Forms, and clients written in Go, send such nulls.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/**
 * Removes null members that the schema declares as optional and not nullable. Returns the same object if there are
 * none. Undeclared members stay unchanged, because they are data.
 */
export function withoutNulls<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, (member, found, optional) =>
    found === null && optional && !acceptsNull(member) ? undefined : found,
  ) as T;
}

/** Reports whether a schema accepts null, because of its type or because it accepts any value. */
function acceptsNull({ type, enum: words }: SchemaNode): boolean {
  if (type === undefined) return words === undefined;
  return typeof type === 'string' ? type === 'null' : type.includes('null');
}
