// Removes Go's zero time, which clients written in Go send if a time isn't set.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

const ZERO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

/** Whether a string is Go's zero time, `0001-01-01T00:00:00Z`. */
export function isZeroTime(text: string): boolean {
  return ZERO_TIME.test(text);
}

/**
 * Removes zero times from optional members. Returns the same object if there are none. Keeps the bounds of a query's
 * time range, which may start at the zero time.
 */
export function withoutZeroTimes<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, ({ format = '' }, found, optional) =>
    optional && format === 'date-time' && typeof found === 'string' && isZeroTime(found)
      ? undefined
      : found,
  ) as T;
}
