/** What is said of functions over points in time. All times are UTC and carry nanoseconds. */
import type { datetimeFunctions } from '../../catalog/functions/datetime.ts';
import { type Prose, says } from '../says.ts';

const weekNote = 'Weeks start on Sunday.';

export const datetimeProse = {
  ago: says('Gives the time that lies a span before now.', 'ago(1h)'),
  datetime_add: says(
    'Adds a number of calendar parts, such as months, to a time.',
    "datetime_add('month', 1, _time)",
    'Nanoseconds are not among the parts.',
  ),
  datetime_diff: says(
    'Counts the calendar parts, such as days, from the second time to the first.',
    "datetime_diff('minute', now(), _time)",
  ),
  datetime_part: says(
    'Gives one part of a time, such as its hour, as a number.',
    "datetime_part('hour', _time)",
    'The week is called week_of_year, the day of the year dayOfYear.',
  ),
  dayofmonth: says('Gives the day of the month, 1 to 31.', 'dayofmonth(_time)'),
  dayofweek: says(
    'Gives the day of the week as a number, 0 for Sunday to 6 for Saturday.',
    'dayofweek(_time)',
    'The result is a number, not a timespan as in Kusto.',
  ),
  dayofyear: says('Gives the day of the year, 1 to 366.', 'dayofyear(_time)'),
  endofday: says(
    'Gives the last moment of the day, shifted by a number of days.',
    'endofday(_time)',
  ),
  endofmonth: says(
    'Gives the last moment of the month, shifted by a number of months.',
    'endofmonth(_time)',
  ),
  endofweek: says(
    'Gives the last moment of the week, shifted by a number of weeks.',
    'endofweek(_time)',
    weekNote,
  ),
  endofyear: says(
    'Gives the last moment of the year, shifted by a number of years.',
    'endofyear(_time)',
  ),
  getmonth: says('Gives the month, 1 to 12.', 'getmonth(_time)'),
  getyear: says('Gives the year.', 'getyear(_time)'),
  hourofday: says('Gives the hour, 0 to 23.', 'hourofday(_time)'),
  monthofyear: says('Gives the month, 1 to 12.', 'monthofyear(_time)'),
  now: says('Gives the time at which the query runs, plus an offset.', 'now(-15m)'),
  startofday: says('Gives the start of the day, shifted by a number of days.', 'startofday(_time)'),
  startofmonth: says(
    'Gives the start of the month, shifted by a number of months.',
    'startofmonth(_time, -1)',
  ),
  startofweek: says(
    'Gives the start of the week, shifted by a number of weeks.',
    'startofweek(_time)',
    weekNote,
  ),
  startofyear: says(
    'Gives the start of the year, shifted by a number of years.',
    'startofyear(_time)',
  ),
  unixtime_microseconds_todatetime: says(
    'Turns microseconds since 1970 into a time.',
    'unixtime_microseconds_todatetime(1735689600000000)',
  ),
  unixtime_milliseconds_todatetime: says(
    'Turns milliseconds since 1970 into a time.',
    'unixtime_milliseconds_todatetime(1735689600000)',
  ),
  unixtime_nanoseconds_todatetime: says(
    'Turns nanoseconds since 1970 into a time.',
    'unixtime_nanoseconds_todatetime(1735689600000000000)',
  ),
  unixtime_seconds_todatetime: says(
    'Turns seconds since 1970 into a time.',
    'unixtime_seconds_todatetime(1735689600)',
  ),
  week_of_year: says('Gives the ISO 8601 week number, 1 to 53.', 'week_of_year(_time)'),
} satisfies Record<keyof typeof datetimeFunctions, Prose>;
