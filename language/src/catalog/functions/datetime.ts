/** Datetime functions. All times are UTC with nanosecond precision. */
import { area, datetime, fn, long, optional, timespan, word } from '../build.ts';
import { addParts, diffParts, timeParts } from '../words.ts';

export const datetimeFunctions = area('datetime', {
  ago: fn([timespan('span')], 'datetime'),
  datetime_add: fn([word('part', addParts), long('amount'), datetime('time')], 'datetime'),
  datetime_diff: fn([word('part', diffParts), datetime('later'), datetime('earlier')], 'long'),
  datetime_part: fn([word('part', timeParts), datetime('time')], 'long'),
  dayofmonth: fn([datetime('time')], 'long'),
  dayofweek: fn([datetime('time')], 'long'),
  dayofyear: fn([datetime('time')], 'long'),
  endofday: fn([datetime('time'), optional(long('offset', { unit: 'days' }))], 'datetime'),
  endofmonth: fn([datetime('time'), optional(long('offset', { unit: 'months' }))], 'datetime'),
  endofweek: fn([datetime('time'), optional(long('offset', { unit: 'weeks' }))], 'datetime'),
  endofyear: fn([datetime('time'), optional(long('offset', { unit: 'years' }))], 'datetime'),
  getmonth: fn([datetime('time')], 'long'),
  getyear: fn([datetime('time')], 'long'),
  hourofday: fn([datetime('time')], 'long'),
  monthofyear: fn([datetime('time')], 'long'),
  now: fn([optional(timespan('offset'))], 'datetime'),
  startofday: fn([datetime('time'), optional(long('offset', { unit: 'days' }))], 'datetime'),
  startofmonth: fn([datetime('time'), optional(long('offset', { unit: 'months' }))], 'datetime'),
  startofweek: fn([datetime('time'), optional(long('offset', { unit: 'weeks' }))], 'datetime'),
  startofyear: fn([datetime('time'), optional(long('offset', { unit: 'years' }))], 'datetime'),
  unixtime_microseconds_todatetime: fn(
    [long('microseconds', { unit: 'microseconds' })],
    'datetime',
  ),
  unixtime_milliseconds_todatetime: fn(
    [long('milliseconds', { unit: 'milliseconds' })],
    'datetime',
  ),
  unixtime_nanoseconds_todatetime: fn([long('nanoseconds', { unit: 'nanoseconds' })], 'datetime'),
  unixtime_seconds_todatetime: fn([long('seconds', { unit: 'seconds' })], 'datetime'),
  week_of_year: fn([datetime('time')], 'long'),
});
