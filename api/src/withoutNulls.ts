// Removes nulls from optional members. Forms, and clients written in Go, send such nulls.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/** Removes nulls from optional members, but not from undeclared members. Returns the same object if there are none. */
export function withoutNulls<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, (member, found, optional) =>
    found === null && optional && !acceptsNull(member) ? undefined : found,
  ) as T;
}

/** Whether a schema accepts null, by its type or because it accepts any value. */
function acceptsNull({ type, enum: words }: SchemaNode): boolean {
  if (type === undefined) return words === undefined;
  return typeof type === 'string' ? type === 'null' : type.includes('null');
}
