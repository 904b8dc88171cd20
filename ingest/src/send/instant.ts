// The times in responses.
import { parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';

/** Parses a time in a response to nanoseconds since 1970. A space may replace the `T`. Undefined for other strings. */
export const instant = (text: string): bigint | undefined =>
  parseRfc3339Nanos(text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'));
