/** Functions over points in time. All times are UTC and carry nanoseconds. */
import { area, datetime, fn, long, optional, timespan, word } from '../build.ts';
import { addParts, diffParts, timeParts } from '../words.ts';

const weekNote = 'Weeks start on Sunday.';

export const datetimeFunctions = area('datetime', {
  ago: fn([timespan('span')], 'datetime', 'Gives the time that lies a span before now.', 'ago(1h)'),
  datetime_add: fn(
    [word('part', addParts), long('amount'), datetime('time')],
    'datetime',
    'Adds a number of calendar parts, such as months, to a time.',
    "datetime_add('month', 1, _time)",
    { note: 'Nanoseconds are not among the parts.' },
  ),
  datetime_diff: fn(
    [word('part', diffParts), datetime('later'), datetime('earlier')],
    'long',
    'Counts the calendar parts, such as days, from the second time to the first.',
    "datetime_diff('minute', now(), _time)",
  ),
  datetime_part: fn(
    [word('part', timeParts), datetime('time')],
    'long',
    'Gives one part of a time, such as its hour, as a number.',
    "datetime_part('hour', _time)",
    { note: 'The week is called week_of_year, the day of the year dayOfYear.' },
  ),
  dayofmonth: fn(
    [datetime('time')],
    'long',
    'Gives the day of the month, 1 to 31.',
    'dayofmonth(_time)',
  ),
  dayofweek: fn(
    [datetime('time')],
    'long',
    'Gives the day of the week as a number, 0 for Sunday to 6 for Saturday.',
    'dayofweek(_time)',
    { note: 'The result is a number, not a timespan as in Kusto.' },
  ),
  dayofyear: fn(
    [datetime('time')],
    'long',
    'Gives the day of the year, 1 to 366.',
    'dayofyear(_time)',
  ),
  endofday: fn(
    [datetime('time'), optional(long('offset', { unit: 'days' }))],
    'datetime',
    'Gives the last moment of the day, shifted by a number of days.',
    'endofday(_time)',
  ),
  endofmonth: fn(
    [datetime('time'), optional(long('offset', { unit: 'months' }))],
    'datetime',
    'Gives the last moment of the month, shifted by a number of months.',
    'endofmonth(_time)',
  ),
  endofweek: fn(
    [datetime('time'), optional(long('offset', { unit: 'weeks' }))],
    'datetime',
    'Gives the last moment of the week, shifted by a number of weeks.',
    'endofweek(_time)',
    { note: weekNote },
  ),
  endofyear: fn(
    [datetime('time'), optional(long('offset', { unit: 'years' }))],
    'datetime',
    'Gives the last moment of the year, shifted by a number of years.',
    'endofyear(_time)',
  ),
  getmonth: fn([datetime('time')], 'long', 'Gives the month, 1 to 12.', 'getmonth(_time)'),
  getyear: fn([datetime('time')], 'long', 'Gives the year.', 'getyear(_time)'),
  hourofday: fn([datetime('time')], 'long', 'Gives the hour, 0 to 23.', 'hourofday(_time)'),
  monthofyear: fn([datetime('time')], 'long', 'Gives the month, 1 to 12.', 'monthofyear(_time)'),
  now: fn(
    [optional(timespan('offset'))],
    'datetime',
    'Gives the time at which the query runs, plus an offset.',
    'now(-15m)',
  ),
  startofday: fn(
    [datetime('time'), optional(long('offset', { unit: 'days' }))],
    'datetime',
    'Gives the start of the day, shifted by a number of days.',
    'startofday(_time)',
  ),
  startofmonth: fn(
    [datetime('time'), optional(long('offset', { unit: 'months' }))],
    'datetime',
    'Gives the start of the month, shifted by a number of months.',
    'startofmonth(_time, -1)',
  ),
  startofweek: fn(
    [datetime('time'), optional(long('offset', { unit: 'weeks' }))],
    'datetime',
    'Gives the start of the week, shifted by a number of weeks.',
    'startofweek(_time)',
    { note: weekNote },
  ),
  startofyear: fn(
    [datetime('time'), optional(long('offset', { unit: 'years' }))],
    'datetime',
    'Gives the start of the year, shifted by a number of years.',
    'startofyear(_time)',
  ),
  unixtime_microseconds_todatetime: fn(
    [long('microseconds', { unit: 'microseconds' })],
    'datetime',
    'Turns microseconds since 1970 into a time.',
    'unixtime_microseconds_todatetime(1735689600000000)',
  ),
  unixtime_milliseconds_todatetime: fn(
    [long('milliseconds', { unit: 'milliseconds' })],
    'datetime',
    'Turns milliseconds since 1970 into a time.',
    'unixtime_milliseconds_todatetime(1735689600000)',
  ),
  unixtime_nanoseconds_todatetime: fn(
    [long('nanoseconds', { unit: 'nanoseconds' })],
    'datetime',
    'Turns nanoseconds since 1970 into a time.',
    'unixtime_nanoseconds_todatetime(1735689600000000000)',
  ),
  unixtime_seconds_todatetime: fn(
    [long('seconds', { unit: 'seconds' })],
    'datetime',
    'Turns seconds since 1970 into a time.',
    'unixtime_seconds_todatetime(1735689600)',
  ),
  week_of_year: fn(
    [datetime('time')],
    'long',
    'Gives the ISO 8601 week number, 1 to 53.',
    'week_of_year(_time)',
  ),
});
