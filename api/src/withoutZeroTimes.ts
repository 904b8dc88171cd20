// Clients written in Go send the zero time of their language for a time that is not set.
import type { SchemaNode } from './problem.ts';
import { rewrite } from './rewrite.ts';
import type { TSchema } from './schema.ts';

const ZERO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

const TIME_FORMATS: ReadonlySet<string> = new Set(['date-time', 'query-time']);

/** A value without the members that are optional times and Go's zero time; the very value where there are none. */
export function withoutZeroTimes<T>(schema: TSchema, value: T): T {
  return rewrite(schema as SchemaNode, value, ({ format = '' }, found, optional) =>
    optional && TIME_FORMATS.has(format) && typeof found === 'string' && ZERO_TIME.test(found)
      ? undefined
      : found,
  ) as T;
}
