/**
 * Parses durations such as `1h30m` during planning, so that a duration in the request or a parameter can be the size of
 * a time bin. `apl.parse_timespan` parses more formats, but at run time.
 */
import { parseTimespan } from '../../../language/src/index.ts';
import * as print from './sql.ts';

/** Matches durations in the units that both functions and literals accept. */
const duration = /^(?:\d{1,12}(?:ns|(?:\.\d{1,3})?us|(?:\.\d{1,6})?ms|(?:\.\d{1,9})?[smh]))+$/;

/** Returns a duration in nanoseconds, or undefined if the text is invalid or the number isn't a 64-bit integer. */
export function durationOf(text: string): bigint | undefined {
  const nanoseconds = duration.test(text) ? parseTimespan(text) : undefined;
  return nanoseconds !== undefined && print.isLong(nanoseconds) ? nanoseconds : undefined;
}
