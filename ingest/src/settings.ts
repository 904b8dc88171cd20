// How a file is read and what becomes of its events: what the preview guesses, a person changes, and a run
// keeps on disk to be resumed. Plain JSON.

export type EventFormat =
  /** An array of objects, a single object, or objects one after another over any lines. */
  | 'json'
  /** One object per line. */
  | 'ndjson'
  | 'csv'
  /** `key=value` pairs, one event per line. */
  | 'logfmt'
  /** Each line is an event with the field `message`. */
  | 'lines';

export type Compression = 'none' | 'gzip' | 'zstd';

/** UTF-16 is recognized by its byte order mark. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * What a CSV value becomes. Except with `string`, a value that is not in quotes and is empty or one of `null`,
 * `NULL`, `\N`, `NA`, `N/A`, `NaN` and `nan` is null. A value that is not of the type of its column is sent as it
 * is written, a string, and counted.
 */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean';

export interface CsvSettings {
  /** One character. */
  readonly delimiter: string;
  /** Whether the first record has the names; otherwise `names` has them. */
  readonly header: boolean;
  readonly names: readonly string[];
  /** By name of the column. A column that is absent is a string. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** How the values of the time field are written. */
export type TimeFormat =
  | { readonly kind: 'rfc3339' }
  | { readonly kind: 'epoch'; readonly unit: 's' | 'ms' | 'us' | 'ns' }
  /** A Go reference layout, such as `02/Jan/2006:15:04:05 -0700`. */
  | { readonly kind: 'layout'; readonly layout: string };

export interface TimeSettings {
  /** The field, with dots between the names of nested objects. */
  readonly field: string;
  readonly format: TimeFormat;
  /** The zone of times that do not name one: an IANA name, or `UTC`. */
  readonly zone: string;
}

export interface ReadSettings {
  readonly format: EventFormat;
  readonly compression: Compression;
  readonly encoding: Encoding;
  /** With `csv`. */
  readonly csv?: CsvSettings;
  /** Absent: events without `_time` get the time of their arrival. */
  readonly time?: TimeSettings;
  /** Fields added to every event. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether what cannot be read as an event is left out and gathered, or ends the run at its line. */
  readonly broken: 'skip' | 'stop';
}
