/** The accepted words of parameters and options: parts of a datetime, byte units, kinds and formats. */
import type { WordRow } from './types.ts';

/** The parts accepted by `datetime_add`. */
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

/** The parts accepted by `datetime_diff`. */
export const diffParts = [...addParts, 'nanosecond'] as const;

/** The parts accepted by `datetime_part`. */
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

/** The units accepted by `format_bytes`. */
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

/** Converts a table of words and summaries to rows. */
export function words(table: Readonly<Record<string, string>>): readonly WordRow[] {
  return Object.entries(table).map(([name, summary]) => ({ name, summary }));
}

/** The kinds of join that the service supports. */
export const joinKinds = words({
  inner: 'Matching rows, once for each match. The default.',
  innerunique: 'Matching rows, each left row with its first match only.',
  leftouter: 'All rows of the left side, with null where nothing matches.',
});

export const lookupKinds = words({
  leftouter: 'All rows of the left side, with null where nothing matches. The default.',
  inner: 'Only matching rows.',
});

export const searchKinds = words({
  default: 'Ignore case.',
  case_insensitive: 'Ignore case.',
  case_sensitive: 'Match case.',
});

export const parseKinds = words({
  simple: 'Match the strings of the pattern literally. The default.',
  regex: 'Match the strings of the pattern as regular expressions.',
  relaxed: 'Set a value that does not match its type to null and keep the others.',
});

export const parseWhereKinds = parseKinds.filter((kind) => kind.name !== 'relaxed');

export const externalFormats = words({
  csv: 'Comma-separated values.',
  scsv: 'Semicolon-separated values.',
  tsv: 'Tab-separated values.',
  psv: 'Pipe-separated values.',
  json: 'One JSON object per line.',
  multijson: 'JSON objects, or an array of objects, that can span several lines.',
  raw: 'The entire file as one value.',
  txt: 'One value per line.',
});

export const boolWords = words({ true: 'Yes.', false: 'No.' });
