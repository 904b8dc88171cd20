// The user's settings for reading a file. Missing settings are guessed from the content.
import type { ChosenSettings } from '../../../../ingest/src/preview/settings.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';

export type Choices = ChosenSettings;

/**
 * Merges a change with earlier choices. Drops column settings if a new format, delimiter or header line changes the
 * columns.
 */
export function withChange(before: Choices, change: Choices): Choices {
  const { csv: csvBefore, time: timeBefore, ...rest } = before;
  const { csv: csvChange, ...others } = change;
  const formatChanged = change.format !== undefined && change.format !== before.format;
  const columnsChanged =
    formatChanged || csvChange?.delimiter !== undefined || csvChange?.header !== undefined;
  const { types: _, names: __, ...csvKept } = csvBefore ?? {};
  const types = csvChange?.types && { types: { ...csvBefore?.types, ...csvChange.types } };
  const merged = columnsChanged
    ? { ...csvKept, ...csvChange }
    : { ...csvBefore, ...csvChange, ...types };
  const csv = formatChanged ? csvChange : csvChange ? merged : csvBefore;
  const time = columnsChanged ? undefined : timeBefore;
  return {
    ...rest,
    ...(csv !== undefined && { csv }),
    ...(time !== undefined && { time }),
    ...others,
  };
}

/**
 * Returns the choices for reading a file of failed events like the original file, because guessing again from a few
 * lines could swap day and month or change types. The file is uncompressed UTF-8.
 */
export function choicesOfFailed(
  { format, csv, time, labels }: ReadSettings,
  columns: readonly string[],
): Choices {
  const types = Object.fromEntries(columns.map((name) => [name, csv?.types[name] ?? 'string']));
  return {
    format,
    ...(csv && {
      csv: {
        delimiter: csv.delimiter,
        header: csv.header,
        ...(csv.names.length > 0 && { names: csv.names }),
        types,
      },
    }),
    time: time ?? null,
    labels,
  };
}
