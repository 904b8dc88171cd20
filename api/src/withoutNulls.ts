// Null for an optional member is the same as leaving it out: forms, and clients written in Go, send it for
// what nobody filled in.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

/**
 * A value without the null members that its schema declares as optional and not as nullable; the very value
 * where there are none. Members that the schema does not declare are data, and stay as they are.
 */
export function withoutNulls<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, (member, found, optional) =>
    found === null && optional && !acceptsNull(member) ? undefined : found,
  ) as T;
}

/** Whether null is a value of the member: it says so, or it may be anything. */
function acceptsNull({ type, enum: words }: SchemaNode): boolean {
  if (type === undefined) return words === undefined;
  return typeof type === 'string' ? type === 'null' : type.includes('null');
}
