/** Words that stand at some place of a query: parts of a time, units of bytes, kinds and directions. */
import type { WordRow } from './types.ts';

/** The parts that `datetime_add` takes. */
export const addParts = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
] as const;

/** The parts that `datetime_diff` takes. */
export const diffParts = [...addParts, 'nanosecond'] as const;

/** The parts that `datetime_part` takes. */
export const timeParts = [
  'year',
  'quarter',
  'month',
  'week_of_year',
  'day',
  'dayOfYear',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
  'nanosecond',
] as const;

/** The units that `format_bytes` takes. */
export const byteUnits = [
  'Bytes',
  'KiB',
  'KB',
  'MiB',
  'MB',
  'GiB',
  'GB',
  'TiB',
  'TB',
  'PiB',
  'EiB',
  'ZiB',
  'YiB',
  'kB',
  'PB',
  'EB',
  'ZB',
  'YB',
] as const;

/** Words with what is said of each. */
export function words(table: Readonly<Record<string, string>>): readonly WordRow[] {
  return Object.entries(table).map(([name, summary]) => ({ name, summary }));
}

/** The kinds of join that the service runs. */
export const joinKinds = words({
  inner: 'Rows that match, once for each match; the default.',
  innerunique: 'Rows that match, each left row with its first match only.',
  leftouter: 'All rows of the left side, with null where nothing matches.',
});

export const lookupKinds = words({
  leftouter: 'All rows of the left side, with null where nothing matches; the default.',
  inner: 'Only rows that match.',
});

export const searchKinds = words({
  default: 'Upper and lower case are the same.',
  case_insensitive: 'Upper and lower case are the same.',
  case_sensitive: 'Upper and lower case differ.',
});

export const parseKinds = words({
  simple: 'Texts of the pattern are matched as they stand; the default.',
  regex: 'Texts of the pattern are regular expressions.',
  relaxed: 'A part that does not fit its type becomes null; the others are kept.',
});

export const parseWhereKinds = parseKinds.filter((kind) => kind.name !== 'relaxed');

export const expandKinds = words({
  array: 'A bag becomes rows of [key, value]; the default.',
  bag: 'A bag becomes rows of one-key bags.',
});

export const externalFormats = words({
  csv: 'Values separated by commas.',
  scsv: 'Values separated by semicolons.',
  tsv: 'Values separated by tabs.',
  psv: 'Values separated by vertical bars.',
  json: 'One JSON object on each line.',
  multijson: 'JSON objects or an array of them, over several lines.',
  raw: 'The whole file as one value.',
  txt: 'One value for each line.',
});

export const boolWords = words({ true: 'Yes.', false: 'No.' });
