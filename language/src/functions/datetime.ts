/** Datetime functions. All times are UTC with nanosecond precision. */
import { area, datetime, fn, long, optional, timespan, word } from '../catalog/build.ts';
import { addParts, diffParts, timeParts } from '../catalog/words.ts';
import type { ProseRow } from '../prose/says.ts';

const time = datetime('time');
const offset = (unit: string) => optional(long('offset', { unit }));
const unixTime = (unit: string) => long(unit, { unit });

export const datetimeFunctions = area('datetime', {
  ago: fn([timespan('span')], 'datetime'),
  datetime_add: fn([word('part', addParts), long('amount'), time], 'datetime'),
  datetime_diff: fn([word('part', diffParts), datetime('later'), datetime('earlier')], 'long'),
  datetime_part: fn([word('part', timeParts), time], 'long'),
  dayofmonth: fn([time], 'long'),
  dayofweek: fn([time], 'long'),
  dayofyear: fn([time], 'long'),
  endofday: fn([time, offset('days')], 'datetime'),
  endofmonth: fn([time, offset('months')], 'datetime'),
  endofweek: fn([time, offset('weeks')], 'datetime'),
  endofyear: fn([time, offset('years')], 'datetime'),
  getmonth: fn([time], 'long'),
  getyear: fn([time], 'long'),
  hourofday: fn([time], 'long'),
  monthofyear: fn([time], 'long'),
  now: fn([optional(timespan('offset'))], 'datetime'),
  startofday: fn([time, offset('days')], 'datetime'),
  startofmonth: fn([time, offset('months')], 'datetime'),
  startofweek: fn([time, offset('weeks')], 'datetime'),
  startofyear: fn([time, offset('years')], 'datetime'),
  unixtime_microseconds_todatetime: fn([unixTime('microseconds')], 'datetime'),
  unixtime_milliseconds_todatetime: fn([unixTime('milliseconds')], 'datetime'),
  unixtime_nanoseconds_todatetime: fn([unixTime('nanoseconds')], 'datetime'),
  unixtime_seconds_todatetime: fn([unixTime('seconds')], 'datetime'),
  week_of_year: fn([time], 'long'),
});

const weekNote = 'Weeks start on Sunday.';

export const datetimeProse: Readonly<Record<keyof typeof datetimeFunctions, ProseRow>> = {
  ago: ['Returns the current time minus a timespan.', 'ago(1h)'],
  datetime_add: [
    'Adds a number of calendar units, such as months, to a datetime.',
    "datetime_add('month', 1, _time)",
    'The unit cannot be nanosecond.',
  ],
  datetime_diff: [
    'Returns the number of calendar units, such as days, between two datetimes: the first minus the second.',
    "datetime_diff('minute', now(), _time)",
  ],
  datetime_part: [
    'Returns a part of a datetime, such as its hour, as a number.',
    "datetime_part('hour', _time)",
    'The week is named week_of_year, and the day of the year is named dayOfYear.',
  ],
  dayofmonth: ['Returns the day of the month, 1 to 31.', 'dayofmonth(_time)'],
  dayofweek: [
    'Returns the day of the week as a number from 0 (Sunday) to 6 (Saturday).',
    'dayofweek(_time)',
    'The result is a number, not a timespan as in Kusto.',
  ],
  dayofyear: ['Returns the day of the year, 1 to 366.', 'dayofyear(_time)'],
  endofday: [
    'Returns the end of the day, shifted by an optional number of days.',
    'endofday(_time)',
  ],
  endofmonth: [
    'Returns the end of the month, shifted by an optional number of months.',
    'endofmonth(_time)',
  ],
  endofweek: [
    'Returns the end of the week, shifted by an optional number of weeks.',
    'endofweek(_time)',
    weekNote,
  ],
  endofyear: [
    'Returns the end of the year, shifted by an optional number of years.',
    'endofyear(_time)',
  ],
  getmonth: ['Returns the month, 1 to 12.', 'getmonth(_time)'],
  getyear: ['Returns the year.', 'getyear(_time)'],
  hourofday: ['Returns the hour, 0 to 23.', 'hourofday(_time)'],
  monthofyear: ['Returns the month, 1 to 12.', 'monthofyear(_time)'],
  now: ['Returns the current time, plus an optional offset.', 'now(-15m)'],
  startofday: [
    'Returns the start of the day, shifted by an optional number of days.',
    'startofday(_time)',
  ],
  startofmonth: [
    'Returns the start of the month, shifted by an optional number of months.',
    'startofmonth(_time, -1)',
  ],
  startofweek: [
    'Returns the start of the week, shifted by an optional number of weeks.',
    'startofweek(_time)',
    weekNote,
  ],
  startofyear: [
    'Returns the start of the year, shifted by an optional number of years.',
    'startofyear(_time)',
  ],
  unixtime_microseconds_todatetime: [
    'Converts a Unix time in microseconds to a datetime.',
    'unixtime_microseconds_todatetime(1735689600000000)',
  ],
  unixtime_milliseconds_todatetime: [
    'Converts a Unix time in milliseconds to a datetime.',
    'unixtime_milliseconds_todatetime(1735689600000)',
  ],
  unixtime_nanoseconds_todatetime: [
    'Converts a Unix time in nanoseconds to a datetime.',
    'unixtime_nanoseconds_todatetime(1735689600000000000)',
  ],
  unixtime_seconds_todatetime: [
    'Converts a Unix time in seconds to a datetime.',
    'unixtime_seconds_todatetime(1735689600)',
  ],
  week_of_year: ['Returns the ISO 8601 week number, 1 to 53.', 'week_of_year(_time)'],
};
