// The settings for reading a file and handling its events. The preview guesses them, the user changes them, and a run
// saves them to be resumed. Plain JSON.

export type EventFormat =
  /** An array of objects, a single object, or consecutive objects, independent of lines. */
  | 'json'
  /** One object per line. */
  | 'ndjson'
  | 'csv'
  /** `key=value` pairs, one event per line. */
  | 'logfmt'
  /** Each line is an event with the field `message`. */
  | 'lines';

export type Compression = 'none' | 'gzip' | 'zstd';

/** UTF-16 is recognized by its byte order mark or, without one, by its zero bytes. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The type of a CSV column. Except with `string`, an unquoted value that is empty or one of `null`, `NULL`, `\N`, `NA`,
 * `N/A`, `NaN` and `nan` is null. A value that doesn't match the type is sent as a string, unchanged, and counted.
 */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean';

export interface CsvSettings {
  /** The delimiter, a single character. */
  readonly delimiter: string;
  /** Whether the first record has the names; otherwise they are in `names`. */
  readonly header: boolean;
  readonly names: readonly string[];
  /** The types by column name. An absent column is a string. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** The format of the time field's values. */
export type TimeFormat =
  | { readonly kind: 'rfc3339' }
  | { readonly kind: 'epoch'; readonly unit: 's' | 'ms' | 'us' | 'ns' }
  /** A Go reference layout, such as `02/Jan/2006:15:04:05 -0700`. */
  | { readonly kind: 'layout'; readonly layout: string };

export interface TimeSettings {
  /** The field, with dots between nested names. */
  readonly field: string;
  readonly format: TimeFormat;
  /** The zone of times without one: an IANA name, or `UTC`. */
  readonly zone: string;
}

export interface ReadSettings {
  readonly format: EventFormat;
  readonly compression: Compression;
  readonly encoding: Encoding;
  /** The CSV settings, if the format is `csv`. */
  readonly csv?: CsvSettings;
  /** The time field. Absent: events without `_time` get their arrival time. */
  readonly time?: TimeSettings;
  /** Fields added to every event. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether broken events are skipped and gathered, or end the run at their line. */
  readonly broken: 'skip' | 'stop';
}
