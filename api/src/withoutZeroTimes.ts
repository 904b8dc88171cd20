// Clients written in Go send Go's zero time if a time isn't set.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

const ZERO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

/** Returns whether a time is Go's zero time, which clients send if a time isn't set. */
export function isZeroTime(text: string): boolean {
  return ZERO_TIME.test(text);
}

/**
 * Removes optional times that are Go's zero time. Returns the same object if there are none. Keeps the bounds of a
 * query, because a range may start at the zero time.
 */
export function withoutZeroTimes<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, ({ format = '' }, found, optional) =>
    optional && format === 'date-time' && typeof found === 'string' && isZeroTime(found)
      ? undefined
      : found,
  ) as T;
}
