// The settings that a user chose for a file. The others are guessed from its content.
import type {
  ColumnType,
  Compression,
  Encoding,
  EventFormat,
  ReadSettings,
  TimeSettings,
} from '../../../../ingest/src/settings.ts';

export interface Choices {
  readonly format?: EventFormat;
  readonly compression?: Compression;
  readonly encoding?: Encoding;
  readonly csv?: {
    readonly delimiter?: string;
    readonly header?: boolean;
    readonly names?: readonly string[];
    readonly types?: Readonly<Record<string, ColumnType>>;
  };
  /** Null: events get the time of their arrival. */
  readonly time?: TimeSettings | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly broken?: ReadSettings['broken'];
}

/**
 * Adds a change to earlier choices. A new format, delimiter or header line gives the file other columns, so choices for
 * the columns are dropped.
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
 * Returns choices that read the failed events of a file as the file was read. A guess from a few lines could take a day
 * for a month and a string for a number. The file of failed events is UTF-8 and not compressed.
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
