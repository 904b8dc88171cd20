// Clients written in Go send the zero time of their language for a time that is not set.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

const ZERO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

/** Whether a time is one that is not set. */
export function isZeroTime(text: string): boolean {
  return ZERO_TIME.test(text);
}

/**
 * A value without the members that are optional times and Go's zero time; the very value where there are none. The
 * bounds of a query stay, since a range may begin there.
 */
export function withoutZeroTimes<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, ({ format = '' }, found, optional) =>
    optional && format === 'date-time' && typeof found === 'string' && isZeroTime(found)
      ? undefined
      : found,
  ) as T;
}
