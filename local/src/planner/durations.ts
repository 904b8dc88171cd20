/**
 * Texts of durations such as `1h30m`, read while planning, so that one of the request or of a parameter can be
 * the size of a time bin. `apl.parse_timespan` reads the same and more while the query runs.
 */
import { parseTimespan } from '../../../language/src/index.ts';
import * as print from './sql.ts';

/** Units that the functions take as well as literals do, with no more digits than are whole nanoseconds. */
const duration = /^(?:\d{1,12}(?:ns|(?:\.\d{1,3})?us|(?:\.\d{1,6})?ms|(?:\.\d{1,9})?[smh]))+$/;

/** Nanoseconds; undefined for a text that is written otherwise or counts in parts of a nanosecond. */
export function durationOf(text: string): bigint | undefined {
  const nanoseconds = duration.test(text) ? parseTimespan(text) : undefined;
  return nanoseconds !== undefined && print.isLong(nanoseconds) ? nanoseconds : undefined;
}
