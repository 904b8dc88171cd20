/**
 * How the time of an event is read: RFC 3339 and other common ways to write it, or a number of
 * seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size.
 */

import { quoteText } from '../sql.ts';
import { strptimeFormat } from './goLayout.ts';

// Tried in this order where a text does not start like RFC 3339.
const FORMATS = [
  '%Y-%m-%dT%H:%M:%S.%n%z',
  '%Y-%m-%d %H:%M:%S.%n %z',
  '%Y-%m-%d %H:%M:%S %z',
  '%Y-%m-%dT%H:%M%z',
  '%Y-%m-%dT%H:%MZ',
  '%Y-%m-%dT%H:%M',
  '%Y-%m-%d %H:%M',
  '%Y-%m-%d %H:%M:%S,%g',
  '%Y-%m-%dT%H:%M:%S,%g',
  '%Y%m%dT%H%M%S%z',
  '%Y%m%dT%H%M%SZ',
  '%Y/%m/%d %H:%M:%S',
  '%Y/%m/%d',
  '%d/%b/%Y:%H:%M:%S %z',
  '%a, %d %b %Y %H:%M:%S %Z',
  '%a, %d %b %Y %H:%M:%S %z',
  '%a %b %d %H:%M:%S %Y',
  '%a %b %d %H:%M:%S %Z %Y',
  '%b %d, %Y, %I:%M:%S %p',
  '%b %d, %Y',
  '%b %d %Y',
  '%m/%d/%Y %H:%M:%S',
  '%m/%d/%Y %I:%M:%S %p',
  '%m/%d/%Y',
];

/** The SQL of a time in text (plain, not JSON) as TIMESTAMP_NS; NULL when it is none. */
export function timeOfText(text: string, layout?: string): string {
  if (layout !== undefined) {
    return `TRY_CAST(try_strptime(${text}, ${quoteText(strptimeFormat(layout))}) AS TIMESTAMP_NS)`;
  }
  const formats = FORMATS.map(quoteText).join(', ');
  // DuckDB's own readers also take words such as `infinity`, which are no times here.
  return `coalesce(
    CASE WHEN ascii(${text}) BETWEEN 48 AND 57 THEN TRY_CAST(${text} AS TIMESTAMP_NS) END,
    CASE WHEN regexp_full_match(${text}, '-?[0-9]+([.][0-9]+)?([eE][+]?[0-9]+)?') THEN ${timeOfNumber(text)}
      WHEN regexp_matches(${text}, '[0-9]') THEN TRY_CAST(try_strptime(trim(${text}), [${formats}]) AS TIMESTAMP_NS) END)`;
}

// The sizes from which a number counts milliseconds, microseconds, nanoseconds: each unit covers the
// years from 1973 to 5138, so that the times of a log fall into one of them only.
const MS_FROM = '1e11';
const US_FROM = '1e14';
const NS_FROM = '1e17';

function timeOfNumber(text: string): string {
  const whole = `TRY_CAST(${text} AS HUGEINT)`;
  const size = `abs(TRY_CAST(${text} AS DOUBLE))`;
  // A fraction has nine digits at most: exact in decimals, where a double would blur it.
  const exact = `TRY_CAST(${text} AS DECIMAL(38, 9))`;
  const nanos = (factor: number) => `CAST(floor(${exact} * ${factor}) AS HUGEINT)`;
  return `TRY(make_timestamp_ns(CAST(CASE
      WHEN ${size} < ${MS_FROM} THEN ${nanos(1e9)}
      WHEN ${size} < ${US_FROM} THEN ${nanos(1e6)}
      WHEN ${size} < ${NS_FROM} THEN ${nanos(1e3)}
      ELSE ${whole} END AS BIGINT)))`;
}
