/** Documentation of datetime functions. Datetimes are in UTC and have nanosecond precision. */
import type { datetimeFunctions } from '../../catalog/functions/datetime.ts';
import { type Prose, says } from '../says.ts';

const weekNote = 'Weeks start on Sunday.';

export const datetimeProse = {
  ago: says('Returns the current time minus a timespan.', 'ago(1h)'),
  datetime_add: says(
    'Adds a number of calendar units, such as months, to a datetime.',
    "datetime_add('month', 1, _time)",
    'The unit cannot be nanosecond.',
  ),
  datetime_diff: says(
    'Returns the number of calendar units, such as days, between two datetimes: the first minus the second.',
    "datetime_diff('minute', now(), _time)",
  ),
  datetime_part: says(
    'Returns a part of a datetime, such as its hour, as a number.',
    "datetime_part('hour', _time)",
    'The week is named week_of_year, and the day of the year is named dayOfYear.',
  ),
  dayofmonth: says('Returns the day of the month, 1 to 31.', 'dayofmonth(_time)'),
  dayofweek: says(
    'Returns the day of the week as a number from 0 (Sunday) to 6 (Saturday).',
    'dayofweek(_time)',
    'The result is a number, not a timespan as in Kusto.',
  ),
  dayofyear: says('Returns the day of the year, 1 to 366.', 'dayofyear(_time)'),
  endofday: says(
    'Returns the end of the day, shifted by an optional number of days.',
    'endofday(_time)',
  ),
  endofmonth: says(
    'Returns the end of the month, shifted by an optional number of months.',
    'endofmonth(_time)',
  ),
  endofweek: says(
    'Returns the end of the week, shifted by an optional number of weeks.',
    'endofweek(_time)',
    weekNote,
  ),
  endofyear: says(
    'Returns the end of the year, shifted by an optional number of years.',
    'endofyear(_time)',
  ),
  getmonth: says('Returns the month, 1 to 12.', 'getmonth(_time)'),
  getyear: says('Returns the year.', 'getyear(_time)'),
  hourofday: says('Returns the hour, 0 to 23.', 'hourofday(_time)'),
  monthofyear: says('Returns the month, 1 to 12.', 'monthofyear(_time)'),
  now: says('Returns the current time, plus an optional offset.', 'now(-15m)'),
  startofday: says(
    'Returns the start of the day, shifted by an optional number of days.',
    'startofday(_time)',
  ),
  startofmonth: says(
    'Returns the start of the month, shifted by an optional number of months.',
    'startofmonth(_time, -1)',
  ),
  startofweek: says(
    'Returns the start of the week, shifted by an optional number of weeks.',
    'startofweek(_time)',
    weekNote,
  ),
  startofyear: says(
    'Returns the start of the year, shifted by an optional number of years.',
    'startofyear(_time)',
  ),
  unixtime_microseconds_todatetime: says(
    'Converts a Unix time in microseconds to a datetime.',
    'unixtime_microseconds_todatetime(1735689600000000)',
  ),
  unixtime_milliseconds_todatetime: says(
    'Converts a Unix time in milliseconds to a datetime.',
    'unixtime_milliseconds_todatetime(1735689600000)',
  ),
  unixtime_nanoseconds_todatetime: says(
    'Converts a Unix time in nanoseconds to a datetime.',
    'unixtime_nanoseconds_todatetime(1735689600000000000)',
  ),
  unixtime_seconds_todatetime: says(
    'Converts a Unix time in seconds to a datetime.',
    'unixtime_seconds_todatetime(1735689600)',
  ),
  week_of_year: says('Returns the ISO 8601 week number, 1 to 53.', 'week_of_year(_time)'),
} satisfies Record<keyof typeof datetimeFunctions, Prose>;
