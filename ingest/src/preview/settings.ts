// Determines a file's read settings: the chosen ones, and guesses for the others.
import { FileProblem } from '../contract.ts';
import { columnNames, csvCells, csvValues } from '../read/convert/csvRow.ts';
import type { CsvSettings, EventFormat, ReadSettings, TimeSettings } from '../settings.ts';
import { columnType } from './columnTypes.ts';
import type { Head } from './head.ts';
import { DELIMITERS, isHeader, recognize, recordsOf } from './recognize.ts';
import type { RawEvent } from './sample.ts';

/** The chosen settings; the others are guessed. `time` is null for events without a time. */
export interface ChosenSettings extends Partial<Omit<ReadSettings, 'csv' | 'time'>> {
  readonly csv?: Partial<CsvSettings>;
  readonly time?: TimeSettings | null;
}

/** Returns the settings that can be guessed without events: all except the column types and the time. */
export function formatSettings(name: string, head: Head, chosen: ChosenSettings): ReadSettings {
  const guess = recognize(name, head.bytes, head.complete);
  const format = chosen.format ?? guess.format;
  return {
    format,
    compression: head.compression,
    encoding: head.encoding,
    ...(format === 'csv' && { csv: csvSettings(head, guess.delimiter, chosen.csv ?? {}) }),
    labels: chosen.labels ?? {},
    broken: chosen.broken ?? defaultBroken[format],
  };
}

const defaultBroken: Readonly<Record<EventFormat, ReadSettings['broken']>> = {
  ndjson: 'skip',
  csv: 'skip',
  json: 'skip',
  logfmt: 'skip',
  lines: 'skip',
};

function csvSettings(
  head: Head,
  guessed: string | undefined,
  chosen: Partial<CsvSettings>,
): CsvSettings {
  const delimiter = chosen.delimiter ?? guessed ?? DELIMITERS[0];
  if (delimiter.length !== 1 || delimiter.charCodeAt(0) > 126 || '"\r\n'.includes(delimiter)) {
    throw new FileProblem('Choose a delimiter that is one ASCII character, such as a comma.');
  }
  const records = recordsOf(head.bytes.subarray(0, 256 * 1024), head.complete, delimiter);
  const header = chosen.header ?? isHeader(records);
  const width = records[0]?.length ?? 1;
  const names =
    chosen.names !== undefined && chosen.names.length > 0
      ? chosen.names
      : header
        ? []
        : Array.from({ length: width }, (_, index) => `column${index + 1}`);
  return { delimiter, header, names, types: chosen.types ?? {} };
}

/** Returns the column names and the data records. */
export function csvColumns(
  { header, names, delimiter }: CsvSettings,
  events: readonly RawEvent[],
): {
  readonly names: readonly string[];
  readonly rows: readonly RawEvent[];
  readonly header?: RawEvent;
} {
  const [first, ...rest] = events;
  if (!header || first === undefined) return { names: columnNames(names), rows: events };
  return { names: columnNames(csvCells(first.bytes, delimiter)), rows: rest, header: first };
}

/** Guesses the column types. */
export function columnTypes(
  { delimiter }: CsvSettings,
  names: readonly string[],
  rows: readonly RawEvent[],
  header: RawEvent | undefined,
): CsvSettings['types'] {
  const records = rows
    .filter(({ bytes }) => !header?.bytes.equals(bytes))
    .map(({ bytes }) => csvValues(bytes, delimiter))
    .filter(({ length }) => length === names.length);
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const type = columnType(
        records.map((record) => record[index] as NonNullable<(typeof record)[number]>),
      );
      return type === 'string' ? [] : [[name, type]];
    }),
  );
}
