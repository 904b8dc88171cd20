/**
 * Parses the time of an event: a common format, the request's layout, or a number since 1970. The magnitude of a number
 * shows whether it is in seconds, milliseconds, microseconds or nanoseconds.
 */

import { TIME_MIN } from '../../time.ts';
import { quoteText } from '../sql.ts';
import { strptimeFormat } from './goLayout.ts';

// Formats that are tried in this order if a string isn't RFC 3339. An offset at the end is parsed separately.
const FORMATS = [
  '%Y-%m-%dT%H:%M:%S.%n',
  '%Y-%m-%d %H:%M:%S.%n',
  '%Y-%m-%dT%H:%M:%S',
  '%Y-%m-%d %H:%M:%S',
  '%Y-%m-%dT%H:%M',
  '%Y-%m-%d %H:%M',
  '%Y-%m-%d %H:%M:%S,%n',
  '%Y-%m-%dT%H:%M:%S,%n',
  '%Y%m%dT%H%M%S',
  '%Y/%m/%d %H:%M:%S',
  '%Y/%m/%d',
  '%d/%b/%Y:%H:%M:%S',
  '%a, %d %b %Y %H:%M:%S',
  '%a %b %d %H:%M:%S %Y',
  '%b %d, %Y, %I:%M:%S %p',
  '%b %d, %Y',
  '%b %d %Y',
  '%m/%d/%Y %H:%M:%S',
  '%m/%d/%Y %I:%M:%S %p',
  '%m/%d/%Y',
];

/** Returns SQL for a time, which is NULL if the time is invalid, before `TIME_MIN`, or too late for DuckDB. */
export function timeSql(text: string, layout?: string): string {
  const time =
    layout === undefined ? anyFormatSql(text) : layoutTimeSql(text, strptimeFormat(layout));
  const before = `make_timestamp_ns(${TIME_MIN - 1n})`;
  return `nullif(greatest(${time}, ${before}), ${before})`;
}

// Parses a time of any format. Casts only strings with a leading digit, because DuckDB accepts words like `infinity`.
function anyFormatSql(text: string): string {
  return `coalesce(
    CASE WHEN ascii(${text}) BETWEEN 48 AND 57 THEN TRY_CAST(${text} AS TIMESTAMP_NS) END,
    CASE WHEN regexp_full_match(${text}, '-?[0-9]+([.][0-9]+)?([eE][+]?[0-9]+)?') THEN ${epochTimeSql(text)}
      WHEN regexp_matches(${text}, '[0-9]') THEN ${zonedTimeSql(text, FORMATS)} END)`;
}

function layoutTimeSql(text: string, format: string): string {
  const zoned = /^(.*?) *%z$/.exec(format);
  return zoned === null
    ? `TRY_CAST(try_strptime(${text}, ${quoteText(format)}) AS TIMESTAMP_NS)`
    : zonedTimeSql(text, [zoned[1]!]);
}

// The first group is everything before the offset.
const ZONE =
  '^(.*(?::[0-9]{2}|T[0-9]{4,6})(?:[.,][0-9]+)?) *(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})(?: UTC| GMT)?$';

// Parses times with an offset, which is removed first. Otherwise, DuckDB's strptime would read times only to
// microseconds, and might apply one row's offset to the next row.
function zonedTimeSql(text: string, formats: readonly string[]): string {
  const part = (group: number) => `regexp_extract(trim(${text}), ${quoteText(ZONE)}, ${group})`;
  const list = `[${formats.map(quoteText).join(', ')}]`;
  const read = (body: string) => `TRY_CAST(try_strptime(${body}, ${list}) AS TIMESTAMP_NS)`;
  const digits = `regexp_replace(${part(2)}, '[^0-9]', '', 'g')`;
  const seconds = `(CAST(substring(${digits}, 1, 2) AS BIGINT) * 3600 + CAST(substring(${digits}, 3, 2) AS BIGINT) * 60)`;
  const offset = `CASE WHEN ${digits} = '' THEN 0 WHEN starts_with(${part(2)}, '-') THEN -${seconds} ELSE ${seconds} END`;
  return `CASE WHEN ${part(2)} = '' THEN ${read(`trim(${text})`)}
    ELSE TRY(make_timestamp_ns(epoch_ns(${read(part(1))}) - ${offset} * 1000000000)) END`;
}

// The smallest numbers that count as milliseconds, microseconds and nanoseconds. In each unit, the numbers between
// these bounds are times from 1973 to 5138.
const MS_MIN = '1e11';
const US_MIN = '1e14';
const NS_MIN = '1e17';

function epochTimeSql(text: string): string {
  const whole = `TRY_CAST(${text} AS HUGEINT)`;
  const size = `abs(TRY_CAST(${text} AS DOUBLE))`;
  // Use a decimal, because unlike a double, it is exact to nine fractional digits.
  const exact = `TRY_CAST(${text} AS DECIMAL(38, 9))`;
  const nanos = (factor: number) => `CAST(floor(${exact} * ${factor}) AS HUGEINT)`;
  return `TRY(make_timestamp_ns(CAST(CASE
      WHEN ${size} < ${MS_MIN} THEN ${nanos(1e9)}
      WHEN ${size} < ${US_MIN} THEN ${nanos(1e6)}
      WHEN ${size} < ${NS_MIN} THEN ${nanos(1e3)}
      ELSE ${whole} END AS BIGINT)))`;
}
