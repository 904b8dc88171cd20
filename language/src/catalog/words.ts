/** Words accepted by parameters and options, such as datetime parts, byte units and file formats. */
import type { WordRow } from './types.ts';

export const addParts =
  'year quarter month week day hour minute second millisecond microsecond'.split(' ');

/** `datetime_diff` also accepts nanoseconds. */
export const diffParts = [...addParts, 'nanosecond'];

export const timeParts = [
  ...'year quarter month week_of_year day dayOfYear hour minute second'.split(' '),
  ...'millisecond microsecond nanosecond'.split(' '),
];

export const byteUnits = [
  ...'Bytes KiB KB MiB MB GiB GB TiB TB'.split(' '),
  ...'PiB EiB ZiB YiB kB PB EB ZB YB'.split(' '),
];

export function words(table: Readonly<Record<string, string>>): readonly WordRow[] {
  return Object.entries(table).map(([name, summary]) => ({ name, summary }));
}

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
